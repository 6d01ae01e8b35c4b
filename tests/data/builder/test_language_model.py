from data.builder.language_model import train

MODEL = train(["the train is late .", "the bus is late .", "where is the train ?"])


def test_prefers_what_it_has_read() -> None:
    assert MODEL.score("the train is late .") > MODEL.score("train the late is .")


def test_unseen_words_cost_and_do_not_fail() -> None:
    assert MODEL.score("the zeppelin is late .") < MODEL.score("the bus is late .") < 0
