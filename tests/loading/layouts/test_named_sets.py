"""Several test sets are told apart by the names of their references, and never taken for references of one."""

from __future__ import annotations

import pytest

from mtsig_core import load
from mtsig_core.loading.report import LoadError

SETS = {"wmt20": ["a cat sat", "the dog ran", "we saw birds"], "wmt21": ["rain fell", "she reads a book"]}
RUNS = [(system, k) for system in ("base", "big") for k in (1, 2)]


def text(lines):
    return ("\n".join(lines) + "\n").encode()


def tree(reference, output, sets=SETS, runs=RUNS, **more):
    """Files named by patterns of {set}, {system} and {k}, and perhaps a source."""
    files = {}
    for name, lines in sets.items():
        for system, k in runs:
            files[reference.format(set=name, system=system, k=k)] = text(lines)
            own = [f"{line} {system} {k}" for line in lines]
            files[output.format(set=name, system=system, k=k)] = text(own)
        for pattern in more.values():
            files[pattern.format(set=name)] = text([f"q {line}" for line in lines])
    return list(files.items())


def shape(experiment):
    """Return the sets with their numbers of segments, and the replicas of each system."""
    return ({t.name: t.n_segments for t in experiment.test_sets},
            {s.name: [r.name for r in s.replicas] for s in experiment.systems})  # fmt: skip


@pytest.mark.parametrize(("reference", "output", "replicas"), [
    ("ref/{set}.txt", "{system}/seed{k}/{set}.txt", ["seed1", "seed2"]),
    ("refs/{set}.en.txt", "systems/{system}/seed{k}/{set}.en.txt", ["seed1", "seed2"]),
    ("refs/{set}.txt", "outputs/{set}/{system}/seed{k}.txt", ["seed1", "seed2"]),
    ("references/{set}.de", "{system}/{set}.{k}.de", ["1", "2"]),
    ("{set}.en-de.ref", "{system}_seed{k}.{set}.en-de.hyp", ["seed1", "seed2"]),
    ("data/{set}.ref.en", "out/{system}_run{k}/{set}.en", ["run1", "run2"]),
])  # fmt: skip
def test_references_name_the_sets(reference, output, replicas):
    experiment, report = load(tree(reference, output), cache=False)
    names = ["wmt20.en-de", "wmt21.en-de"] if "en-de" in reference else ["wmt20", "wmt21"]
    assert shape(experiment) == (dict(zip(names, (3, 2), strict=True)), {"base": replicas, "big": replicas})
    replica = experiment.system("big").replicas[0]
    assert replica.outputs[names[1]] == tuple(f"{line} big 1" for line in SETS["wmt21"])
    assert names[0] in report.with_code("sets-by-name")[0].message


def test_each_run_with_its_own_copies():
    experiment, report = load(tree("{system}/run{k}/{set}.ref", "{system}/run{k}/{set}.hyp"), cache=False)
    assert shape(experiment) == ({"wmt20": 3, "wmt21": 2}, {"base": ["run1", "run2"], "big": ["run1", "run2"]})
    assert any("a copy of the reference base/run1/wmt20.ref" in line.message for line in report.ignored)


def test_sources_go_with_their_sets_and_a_dev_set_is_one():
    sets = {"dev": SETS["wmt20"], "test": SETS["wmt20"][::-1]}
    experiment, _ = load(tree("refs/{set}.txt", "{system}/seed{k}/{set}.txt", sets, src="src/{set}.txt"), cache=False)
    assert {t.name: (t.role, t.source[0]) for t in experiment.test_sets} == {
        "test": ("test", "q we saw birds"), "dev": ("dev", "q a cat sat"),
    }  # fmt: skip


def test_several_references_of_one_set_stay_so():
    two = {"anna": SETS["wmt20"], "bert": [f"{line} now" for line in SETS["wmt20"]]}
    experiment, report = load(tree("refs/{set}.txt", "{set}-{system}.seed{k}.txt", two), cache=False)
    assert len(experiment.test_sets) == 1
    assert len(experiment.test_sets[0].references) == 2
    assert not report.with_code("sets-by-name")


@pytest.mark.parametrize(("reference", "output", "names"), [
    ("refs/{set}.txt", "{system}/seed{k}/{set}.txt", ("anna", "bert")),  # their texts have nothing in common
    ("ref.{set}.txt", "{system}.seed{k}.{set}.txt", ("dev", "news")),
    ("{set}/ref.txt", "{set}/{system}/seed{k}.txt", ("en-de", "en-fr")),
    ("ref.{set}", "{system}.seed{k}.{set}", ("de", "fr")),
    ("{set}.ref.txt", "{system}_seed{k}/test.hyps.{set}", ("dev", "test")),
])  # fmt: skip
def test_sets_of_one_length(reference, output, names):
    sets = dict(zip(names, (SETS["wmt20"], ["rain fell now", "she reads", "no end here"]), strict=True))
    experiment, report = load(tree(reference, output, sets), cache=False)
    assert shape(experiment) == (dict.fromkeys(names, 3), {"base": ["seed1", "seed2"], "big": ["seed1", "seed2"]})
    assert report.with_code("sets-by-name")


def test_an_output_of_no_set_leaves_the_choice_to_a_person():
    with pytest.raises(LoadError, match=r"2 lines, but ref/wmt20\.txt has 3"):
        load([*tree("ref/{set}.txt", "{system}/seed{k}/{set}.txt"), ("other/seed1/x.txt", b"a\n")], cache=False)


@pytest.mark.parametrize(("mark", "replicas"), [(".s{k}", ["s1", "s2"]), ("_{k}", ["1", "2"])])
def test_folders_of_sets_hold_replicas_by_letter_or_number(mark, replicas):
    files = tree("{set}/ref.de", "{set}/{system}" + mark + ".de")
    experiment, report = load(files, cache=False)
    assert shape(experiment) == ({"wmt20": 3, "wmt21": 2}, {"base": replicas, "big": replicas})
    assert report.with_code("replica-by-number")


def test_the_set_with_which_all_names_begin_is_part_of_none():
    one = {"newstest2020-ruen": SETS["wmt20"]}
    files = tree("{set}.ref.en.txt", "{set}.online-{system}.txt", one, src="{set}.src.ru.txt")
    experiment, report = load(files, cache=False)
    assert shape(experiment) == ({"newstest2020-ruen": 3}, {"online-base": ["1"], "online-big": ["1"]})
    assert experiment.test_sets[0].source[0] == "q a cat sat"
    assert report.with_code("sets-by-name")


def test_a_word_before_the_reference_that_is_no_test_set_stays_in_names():
    experiment, _ = load(tree("{set}.ref.en", "{set}.{system}.en", {"ted": SETS["wmt20"]}), cache=False)
    assert shape(experiment) == ({"test": 3}, {"ted.base": ["1"], "ted.big": ["1"]})


LANGUAGES = {"de": ["eine Katze sitzt", "der Hund rennt"], "fr": ["un chat dort", "le chien court"]}


@pytest.mark.parametrize("sources", [
    {"src.de": ["a b", "c d"], "src.fr": ["e f", "g h"]}, {"source.en": ["a b", "c d"]},
])  # fmt: skip
def test_sources_go_with_sets_that_languages_tell(sources):
    files = [(f"{s}.seed{k}.{name}", text([f"{line} {s} {k}" for line in lines]))
             for name, lines in LANGUAGES.items() for s, k in RUNS]  # fmt: skip
    files += [(f"ref.{name}", text(lines)) for name, lines in LANGUAGES.items()]
    experiment, report = load([*files, *((path, text(lines)) for path, lines in sources.items())], cache=False)
    own = {t.name: t.source for t in experiment.test_sets}
    assert own == {name: tuple(sources.get(f"src.{name}", ("a b", "c d"))) for name in LANGUAGES}
    assert report.with_code("source-by-name")


@pytest.mark.parametrize(("names", "n_sets"), [(("wmt20", "wmt21"), 2), (("beam1", "beam5"), 1)])
def test_folders_called_as_sets_with_one_reference_are_sets(names, n_sets):
    lines = SETS["wmt20"]
    files = {f"{name}/ref.txt": text(lines) for name in names}
    files |= {f"{name}/{s}/seed{k}.txt": text([f"{line} {s} {k} {name}" for line in lines])
              for name in names for s, k in RUNS}  # fmt: skip
    experiment, _ = load(list(files.items()), cache=False)
    assert len(experiment.test_sets) == n_sets
    assert len(experiment.systems) == (2 if n_sets == 2 else 4)
