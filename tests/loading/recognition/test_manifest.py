import pytest

from mtsig_core.loading import LoadError, load


def with_manifest(files, text):
    return [*files.items(), ("experiment.toml", text.encode())]


def test_a_manifest_is_read_in_every_layout(files, text):
    manifest = """
        name = "Words"
        target_language = "de"
        baseline = "beta"
        tokenizer = "none"
        paired = true
        [test_sets.test]
        role = "other"
    """
    flat = {"alpha.seed1.txt": text("a"), "beta.seed1.txt": text("b"), "ref.txt": text("c")}
    for tree in (files, flat):
        experiment, _ = load(with_manifest(tree, manifest))
        assert (experiment.name, experiment.target_language, experiment.baseline) == ("Words", "de", "beta")
        assert (experiment.tokenizer, experiment.paired) == ("none", True)
        assert experiment.test_set("test").role == "other"


def test_without_a_manifest_nothing_is_declared(files):
    experiment, _ = load(list(files.items()))
    assert (experiment.baseline, experiment.tokenizer, experiment.paired) == ("alpha", None, False)


@pytest.mark.parametrize(
    ("manifest", "paired"),
    [
        ("paired = false", False),
        ("[paired]", True),
        ('[paired]\nby = "seed"', True),
        ('[paired]\nsystems = ["alpha", "beta"]', True),
        ('[paired]\nsystems = ["alpha"]', False),
    ],
)
def test_pairing(files, manifest, paired):
    experiment, report = load(with_manifest(files, manifest))
    assert experiment.paired is paired
    assert bool(report.with_code("partly-paired")) == ("alpha" in manifest and "beta" not in manifest)


def test_unknown_keys_and_names_are_reported(files):
    manifest = """
        colour = "red"
        baseline = "gamma"
        [optimizer]
        name = "mert"
        [paired]
        seeds = 3
        [test_sets.test]
        rule = 1
        [test_sets.other]
    """
    experiment, report = load(with_manifest(files, manifest))
    unknown = " ".join(line.message for line in report.with_code("unknown-key"))
    assert all(word in unknown for word in ("colour", "seeds", "rule"))
    assert "optimizer" in report.with_code("manifest-notes")[0].message
    assert "'gamma'" in report.with_code("unknown-baseline")[0].message
    assert experiment.baseline == "alpha"


def test_a_set_that_is_not_there_is_reported(files):
    _, report = load(with_manifest(files, '[test_sets.gone]\nrole = "dev"'))
    assert "'gone'" in report.with_code("unknown-test-set")[0].message


@pytest.mark.parametrize(
    "manifest",
    [
        "name = ",
        "name = 3",
        'paired = "yes"',
        "[paired]\nsystems = 3",
        "test_sets = 1",
        "test_sets.a = 1",
        '[test_sets.a]\nrole = "train"',
        "[test_sets.a]\nleft_out = [0]",
        "[test_sets.a]\nleft_out = [2, 2]",
        "[test_sets.test]\nleft_out = [9999]",
        '[test_sets.a]\nleft_out = [2]\nleft_out_documents = ["x", "y"]',
        f"x = {'9' * 5000}",
    ],
)
def test_faults_name_the_manifest(files, manifest):
    with pytest.raises(LoadError, match="^experiment.toml: ") as caught:
        load(with_manifest(files, manifest))
    assert caught.value.file == "experiment.toml"
