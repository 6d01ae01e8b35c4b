"""What the pictures of the lessons share."""

from mtsig_core.figures.learn.parts import Canvas


def test_titles_are_broken_by_the_room_of_their_panel():
    canvas = Canvas(300)
    canvas.panel("Power (line: coherent test)", (0, 0.28), below="Replicas of each; x: 1 against n")
    canvas.panel("Power (line: coherent test)", (0.37, 1), below="Replicas")
    figure = canvas.figure()
    narrow, wide = (note.text for note in figure.layout.annotations)
    assert narrow == "Power (line:<br>coherent test)"
    assert wide == "Power (line: coherent test)"
    assert figure.layout.xaxis.title.text == "Replicas of<br>each; x: 1<br>against n"


def test_long_names_of_rows_leave_titles_less_room():
    canvas = Canvas(300)
    canvas.panel("A title of its panel", (0, 0.48)).rows(["a name of twenty-five long"])
    canvas.panel("Another title", (0.5, 1))
    assert canvas.figure().layout.annotations[0].text == "A title of its<br>panel"


def test_an_empty_panel_begins_at_0_and_holds_what_is_drawn_across_it():
    canvas = Canvas(300)
    canvas.panel("Counted", (0, 0.4))
    canvas.upright(canvas.panel("Marked", (0.6, 1)), 50.0)
    layout = canvas.figure().layout
    assert layout.xaxis.range == (0, 5)
    assert layout.xaxis2.range is None
