import pytest

from mtsig_core.loading import LoadError, load


def with_file(files, path, data):
    return list((files | {path: data}).items())


def test_an_output_of_the_wrong_length_is_refused_and_the_others_load(files):
    short = b"".join(files["systems/beta/seed2.txt"].splitlines(keepends=True)[:9])
    experiment, report = load(with_file(files, "systems/beta/seed2.txt", short))
    (line,) = report.refused
    assert line.code == "line-count"
    assert line.files == ("systems/beta/seed2.txt",)
    assert "9 lines, but refs/ref0.txt has 12" in line.message
    assert "it seems to end early" in line.message
    assert [r.name for r in experiment.system("beta").replicas] == ["seed1"]
    assert report.lines[0] is line  # the worst comes first


def test_a_blank_last_line_too_many_is_named(files):
    longer = files["systems/beta/seed2.txt"] + b"\n"
    _, report = load(with_file(files, "systems/beta/seed2.txt", longer))
    assert "13 lines" in report.refused[0].message
    assert "The surplus is a blank last line" in report.refused[0].message


def test_an_extra_blank_line_in_the_middle_is_never_dropped(files):
    lines = files["systems/beta/seed2.txt"].split(b"\n")
    lines.insert(4, b"")
    experiment, report = load(with_file(files, "systems/beta/seed2.txt", b"\n".join(lines)))
    assert "Line 5 is the first blank one. The alignment seems lost from line 5 on." in report.refused[0].message
    assert len(experiment.system("beta").replicas) == 1


def test_an_empty_output_file_is_refused(files):
    _, report = load(with_file(files, "systems/beta/seed2.txt", b""))
    assert "0 lines" in report.refused[0].message
    assert "is empty" in report.refused[0].message


def test_a_system_without_usable_output_is_gone_and_reported(files):
    files = files | {"systems/beta/seed1.txt": b"x\n", "systems/beta/seed2.txt": b"y\n"}
    experiment, report = load(list(files.items()))
    assert [s.name for s in experiment.systems] == ["alpha"]
    assert len(report.refused) == 2


def test_nothing_usable_is_an_error_that_names_the_first_file(files):
    bad = {path: b"x\n" if path.startswith("systems") else content for path, content in files.items()}
    with pytest.raises(LoadError, match="No output is usable. systems/alpha/seed1.txt: 1 line, but") as caught:
        load(list(bad.items()))
    assert caught.value.file == "systems/alpha/seed1.txt"
    assert len(caught.value.report.refused) == 4


@pytest.mark.parametrize("path", ["refs/ref1.txt", "src.en", "docids.tsv"])
def test_references_source_and_documents_must_agree(files, text, path):
    with pytest.raises(LoadError, match=rf"^{path}: 11 lines, but refs/ref0.txt has 12") as caught:
        load(with_file(files, path, text("x", n=11)))
    assert caught.value.file == path


def test_an_empty_reference_file(files):
    with pytest.raises(LoadError, match="refs/ref0.txt: the reference is empty"):
        load(with_file(files, "refs/ref0.txt", b""))


def test_a_second_source_costs_itself_alone(files, text):
    experiment, report = load([*files.items(), ("source.de", text("y")), ("src.en", text("x")), ("src-bpe", text("z"))])
    assert experiment.test_set("test").source == tuple(text("x").decode().splitlines())
    assert [line.files for line in report.with_code("second-source")] == [("src-bpe",), ("source.de",)]


def test_two_lists_of_documents_are_refused(files, text):
    with pytest.raises(LoadError, match=r"documents\.txt: a second documents file beside docids\.tsv"):
        load([*files.items(), ("docids.tsv", text("c")), ("documents.txt", text("d"))])


def test_blank_reference_lines_are_missing_references(files, text):
    other = text("two").split(b"\n")
    other[3] = b"  "
    other[11] = b""
    experiment, report = load(with_file(files, "refs/ref1.txt", b"\n".join(other)))
    test = experiment.test_set("test")
    assert test.n_segments == 12
    assert [i for i, line in enumerate(test.references[1]) if line is None] == [3, 11]
    assert "2 blank reference lines" in report.with_code("missing-references")[0].message
    assert not report.with_code("trailing-blank-line")


def test_a_segment_without_any_reference_is_left_out_for_all(files, text):
    lines = files["refs/ref0.txt"].split(b"\n")
    lines[3] = b""
    lines[7] = b"\t"
    extra = {"refs/ref0.txt": b"\n".join(lines), "src.en": text("s"), "docids.tsv": text("d").replace(b" ", b"\t")}
    experiment, report = load(list((files | extra).items()))
    test = experiment.test_set("test")
    assert test.n_segments == 10
    assert len(test.source) == len(test.documents) == 10
    assert test.source[3] == "s number4 of16"
    assert test.documents == ("d",) * 10
    for system in experiment.systems:
        for replica in system.replicas:
            assert [line.split()[-2] for line in replica.outputs["test"]] == [
                f"number{i}" for i in range(12) if i not in (3, 7)
            ]
    (line,) = report.with_code("no-reference-text")
    assert "2 segments" in line.message
    assert "lines 4, 8" in line.message


def test_a_wrong_length_counts_all_lines_even_those_without_reference(files):
    lines = files["refs/ref0.txt"].split(b"\n")
    lines[3] = b""
    short = b"\n".join(files["systems/beta/seed2.txt"].split(b"\n")[:11])
    files = files | {"refs/ref0.txt": b"\n".join(lines), "systems/beta/seed2.txt": short}
    _, report = load(list(files.items()))
    assert "11 lines, but refs/ref0.txt has 12" in report.refused[0].message


def test_only_blank_references(files):
    with pytest.raises(LoadError, match="refs/ref0.txt: every line is blank"):
        load(with_file(files, "refs/ref0.txt", b"\n" * 12))


def test_a_set_without_reference_is_refused_and_the_other_loads(text):
    files = [("a/refs/r", text("r")), ("a/systems/x/1", text("x")), ("b/systems/x/1", text("y"))]
    experiment, report = load(files)
    assert [t.name for t in experiment.test_sets] == ["a"]
    assert report.refused[0].files == ("b/systems/x/1",)


def test_a_set_without_output_is_left_out(text):
    files = [("a/refs/r", text("r")), ("a/systems/x/1", text("x")), ("b/refs/r", text("y")), ("b/systems/n.md", b"")]
    experiment, report = load(files)
    assert [t.name for t in experiment.test_sets] == ["a"]
    assert "'b'" in report.with_code("set-without-output")[0].message


def test_two_files_for_one_output(text):
    files = [("systems/a/seed1.txt", text("x")), ("systems/a.seed1.txt", text("y")), ("refs/r", text("z"))]
    with pytest.raises(LoadError, match="is the same output as .*Rename or remove one"):
        load(files)


def test_an_undecodable_output_names_file_line_and_remedy(files):
    bad = with_file(files, "systems/beta/seed2.txt", files["systems/beta/seed2.txt"].replace(b"blue", b"bl\xfc"))
    experiment, report = load(bad)
    (line,) = (line for line in report.refused if line.files == ("systems/beta/seed2.txt",))
    assert "systems/beta/seed2.txt, line 1, byte offset 6" in line.message
    assert "seed2" not in [r.name for r in experiment.system("beta").replicas]  # it costs itself, and nothing else
    experiment, report = load(bad, encoding="latin-1")
    assert experiment.system("beta").replicas[1].outputs["test"][0].startswith("the blü")
    assert report.with_code("other-encoding")[0].files == ("systems/beta/seed2.txt",)


def test_an_undecodable_file_that_is_not_used_does_not_matter(files):
    assert load(with_file(files, "known/x.bin", b"\xff\0"))[0].digest == load(list(files.items()))[0].digest


def test_equal_lines_are_kept_once(files):
    files = files | {"systems/gamma/seed1.txt": files["systems/alpha/seed1.txt"]}
    experiment, _ = load(list(files.items()))
    a, c = (experiment.system(name).replicas[0].outputs["test"] for name in ("alpha", "gamma"))
    assert all(x is y for x, y in zip(a, c, strict=True))


def test_remarks_on_many_files_are_one_line(files):
    windows = {path: content.replace(b"\n", b"\r\n") for path, content in files.items()}
    experiment, report = load(list(windows.items()))
    assert experiment.digest == load(list(files.items()))[0].digest
    assert [len(line.files) for line in report.with_code("crlf")] == [5]


def test_upload_order_makes_no_difference(files):
    forward, backward = load(list(files.items())), load(list(files.items())[::-1])
    assert forward[0].digest == backward[0].digest
    assert forward[1] == backward[1]
