"""The WMT XML and NIST's formats: segments are matched by document and id."""

import gzip

import pytest

from mtsig_core.loading import LoadError, load

REFS = {"A": "ref A", "B": "ref B"}
HYPS = {"UEDIN": "edin", "Online-B": "online"}
SIZES = {"d1": 2, "d2": 3}


def part(tag, attributes, text, n, ids=None):
    segments = "".join(f'<seg id="{i}">{text} {i}</seg>' for i in ids or range(1, n + 1))
    return f"<{tag} {attributes}><p>{segments}</p></{tag}>"


def wmt(refs=REFS, hyps=HYPS, sizes=SIZES, set_id="test22", target="de", extra="", source=True):
    documents = ""
    for name, n in sizes.items():
        inner = part("src", 'lang="en"', f"source {name}", n) if source else ""
        inner += "".join(part("ref", f'lang="{target}" translator="{t}"', f"{x} {name}", n) for t, x in refs.items())
        inner += "".join(part("hyp", f'lang="{target}" system="{s}"', f"{x} {name}", n) for s, x in hyps.items())
        documents += f'<doc origlang="en" id="{name}">{inner}</doc>'
    return f"<?xml version='1.0' encoding='utf-8'?>\n<dataset id=\"{set_id}\">{documents}{extra}</dataset>".encode()


def out(experiment, system, test_set, replica=0):
    return list(experiment.system(system).replicas[replica].outputs[test_set])


def lines(word):
    return [f"{word} {name} {i}" for name, n in SIZES.items() for i in range(1, n + 1)]


def test_wmt_xml(tmp_path):
    path = tmp_path / "test22.xml"
    path.write_bytes(wmt())
    experiment, report = load(path)
    assert report.layout == "WMT XML"
    (test,) = experiment.test_sets
    assert (test.name, test.reference_names, test.documents) == ("test22", ("A", "B"), ("d1",) * 2 + ("d2",) * 3)
    assert [list(test.source), *map(list, test.references)] == [lines("source"), lines("ref A"), lines("ref B")]
    assert out(experiment, "UEDIN", "test22") == lines("edin")
    assert load([("x.xml.gz", gzip.compress(wmt()))])[0].digest == experiment.digest
    assert load([("x.xml", wmt().decode().encode("utf-8-sig"))])[0].digest == experiment.digest
    collection = b"<collection>" + wmt().split(b"\n", 1)[1] + b"</collection>"
    assert load([("x.xml", collection)])[0].digest == experiment.digest


def test_wmt_xml_with_a_file_for_each_system():
    files = [("src.xml", wmt(hyps={}))]
    files += [(f"{s}.xml", wmt(refs={}, hyps={s: x})) for s, x in HYPS.items()]
    assert load(files)[0].digest == load([("all.xml", wmt())])[0].digest
    changed = wmt(refs={}, hyps={"Z": "z"}).replace(b"source d2 1", b"another")
    with pytest.raises(LoadError, match=r"y.xml: its source of 'test22' differs from that of Online-B.xml"):
        load([*files, ("y.xml", changed)])


def test_wmt_xml_replicas():
    by_name = wmt(hyps={"m-seed1": "one", "m-seed2": "two"})
    experiment, _ = load([("x.xml", by_name)])
    assert [r.name for r in experiment.system("m").replicas] == ["seed1", "seed2"]
    by_file = [("ref.xml", wmt(hyps={})), *((f"run{k}.xml", wmt(refs={}, hyps={"m": f"run {k}"})) for k in (1, 2))]
    experiment, _ = load(by_file)
    assert [r.name for r in experiment.system("m").replicas] == ["run1", "run2"]
    assert out(experiment, "m", "test22", 1) == lines("run 2")


def test_wmt_xml_with_two_language_pairs():
    experiment, _ = load([("a.xml", wmt(target="de")), ("b.xml", wmt(target="cs", sizes={"d1": 2}))])
    assert [(t.name, t.n_segments) for t in experiment.test_sets] == [("test22.en-cs", 2), ("test22.en-de", 5)]


def test_wmt_xml_leaves_test_suites_out():
    suite = '<doc id="s" testsuite="idioms">' + part("src", 'lang="en"', "s", 9) + "</doc>"
    experiment, report = load([("x.xml", wmt(extra=suite))])
    assert experiment.test_sets[0].n_segments == 5
    assert "idioms" in report.with_code("test-suite")[0].message


def test_segments_are_matched_by_id_and_not_by_place():
    shuffled = wmt(hyps={}).replace(b"</dataset>", b"")
    for name, ids in (("d2", (3, 1, 2)), ("d1", (2, 1))):
        hyp = part("hyp", 'system="UEDIN" lang="de"', f"edin {name}", 0, ids)
        shuffled += f'<doc id="{name}">{hyp}</doc>'.encode()
    experiment, _ = load([("x.xml", shuffled + b"</dataset>")])
    assert out(experiment, "UEDIN", "test22") == lines("edin")


def test_missing_surplus_and_repeated_segments():
    hyp = part("hyp", 'system="short" lang="de"', "x", 1)
    more = part("hyp", 'system="long" lang="de"', "long d1", 2) + part("hyp", 'system="long" lang="de"', "long d1", 4)
    rest = part("hyp", 'system="long" lang="de"', "long d2", 3)
    extra = f'<doc id="d1">{hyp}{more}</doc><doc id="d2">{rest}</doc>'
    experiment, report = load([("x.xml", wmt(extra=extra))])
    assert [s.name for s in experiment.systems] == ["long", "Online-B", "UEDIN"]
    (line,) = report.refused
    assert (line.code, line.files) == ("missing-segments", ("x.xml",))
    assert "4 segments missing: 2 of d1, 1 of d2, 2 of d2 and 1 more" in line.message
    assert "2 segments that the source or the first reference lacks" in report.with_code("surplus-segments")[0].message
    twice = '<doc id="d1">' + part("hyp", 'system="UEDIN" lang="de"', "other", 1) + "</doc>"
    with pytest.raises(LoadError, match=r"x.xml: segment 1 of document 'd1' occurs twice in one output \('UEDIN'\)"):
        load([("x.xml", wmt(extra=twice))])
    with pytest.raises(LoadError, match="4 segments missing"):
        load([("x.xml", wmt(hyps={}, extra=f'<doc id="d1">{hyp}</doc>'))])


def test_a_reference_may_lack_segments():
    only = '<doc id="d3">' + part("src", 'lang="en"', "s", 1) + part("hyp", 'lang="de" system="UEDIN"', "e", 1)
    only += part("hyp", 'lang="de" system="Online-B"', "e", 1)
    experiment, report = load([("x.xml", wmt(extra=only + "</doc>"))])
    assert experiment.test_sets[0].n_segments == 5
    assert report.with_code("no-reference-text")
    with_ref = only + part("ref", 'lang="de" translator="B"', "r", 1) + "</doc>"
    experiment, _ = load([("x.xml", wmt(extra=with_ref))])
    assert [stream[5] for stream in experiment.test_sets[0].references] == [None, "r 1"]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_text_inside_xml(end):
    text = f"  one{end}  two\u2028<b>three</b> &lt;&#233;&amp;amp; "
    data = wmt(sizes={"d1": 1}).replace(b"edin d1 1", text.encode())
    experiment, _ = load([("x.xml", data)])
    assert out(experiment, "UEDIN", "test22") == ["one two\u2028three <é&amp;"]


BOMB = b'<!DOCTYPE d [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (wmt()[:-30], r"x.xml, line 2, column \d+: is not well-formed XML"),
        (wmt().replace(b"source d1 1", b"R&D <"), "not well-formed"),
        (wmt().replace(b"\n", BOMB, 1).replace(b"source d1 1", b"&b;"), "declares entities"),
        (wmt().replace(b"\n", b'<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]>', 1), "declares entities"),
        (wmt().replace(b"utf-8", b"klingon"), "cannot be read as XML|not well-formed"),
        (wmt().replace(b"source d1 1", b"caf\xe9"), "not well-formed"),
        (wmt().replace(b' id="d1"', b""), "a <doc> has no id"),
        (wmt().replace(b' id="2"', b"", 1), "a <seg> has no id"),
        (wmt(refs={}), "no reference was found"),
        (wmt(hyps={}), "no output of any system"),
        (wmt(sizes={}, extra="<doc id='1'/>"), "holds no segments"),
        (wmt().replace(b'lang="de"', b'lang="fr"', 1), r"several languages \(de, fr\)"),
    ],
)
def test_damaged_xml_is_named(data, words):
    with pytest.raises(LoadError, match=words) as caught:
        load([("x.xml", data)])
    assert caught.value.file.startswith("x.xml")


def sgml(tag, of_set, of_document, text, quote='"', case=str.lower):
    documents = ""
    seg, doc = case("seg"), case("doc")
    for name, n in SIZES.items():
        segments = "".join(f"<{seg} id={quote}{i}{quote}> {text} {name} {i} </{seg}>\n" for i in range(1, n + 1))
        documents += f"<{doc} docid={quote}{name}{quote} {of_document}>\n<hl>\n{segments}</hl>\n</{doc}>\n"
    return f'<{case(tag)} setid="mt08" srclang="any" {of_set}>\n{documents}</{case(tag)}>\n'


@pytest.mark.parametrize("quote", ['"', "'", ""])
@pytest.mark.parametrize("case", [str.lower, str.upper])
def test_sgml(quote, case):
    options = {"quote": quote, "case": case}
    target = 'trglang="en"'
    files = [
        ("src.sgm", sgml("srcset", "", "", "source", **options)),
        ("ref1.sgm", sgml("refset", target, 'sysid="r1"', "ref one", **options)),
        ("ref2.sgm", sgml("refset", f'{target} refid="r2"', "", "ref two", **options)),
        ("a.sgm", sgml("tstset", target, 'sysid="alpha"', "alpha &quot;x&quot; &amp;lt; &#38;", **options)),
        ("b.sgm", sgml("tstset", f'{target} sysid="beta"', "", "beta", **options)),
        ("gamma.sgm", sgml("tstset", target, "", "gamma", **options)),
    ]
    experiment, report = load([(path, text.encode()) for path, text in files])
    assert report.layout == "NIST SGML"
    (test,) = experiment.test_sets
    assert (test.name, test.reference_names, test.documents) == ("mt08", ("r1", "r2"), ("d1",) * 2 + ("d2",) * 3)
    assert list(test.references[1]) == lines("ref two")
    assert list(test.source) == lines("source")
    # As mteval does it: &amp; before &lt;, and numbers are left alone.
    assert out(experiment, "alpha", "mt08") == lines('alpha "x" < &#38;')
    assert [s.name for s in experiment.systems] == ["alpha", "beta", "gamma"]


def test_several_references_and_systems_in_one_file():
    both = "".join(sgml("refset", "", f'sysid="r{k}"', f"ref {k}") for k in (1, 2))
    both += "".join(sgml("tstset", "", f'sysid="m-seed{k}"', f"out {k}") for k in (1, 2))
    experiment, _ = load([("all.sgm", both.encode())])
    assert experiment.test_sets[0].reference_names == ("r1", "r2")
    assert [r.name for r in experiment.system("m").replicas] == ["seed1", "seed2"]
    assert experiment.test_sets[0].source is None


def test_mteval_xml():
    inner = sgml("srcset", "", "", "source") + sgml("refset", 'refid="r1"', "", "ref &amp; one")
    inner += sgml("tstset", 'sysid="alpha"', "", "alpha &amp;quot;")
    head = '<?xml version="1.0"?>\n<!DOCTYPE mteval SYSTEM "ftp://example.org/mteval-xml-v1.5.dtd">\n'
    experiment, _ = load([("x.xml", f"{head}<mteval>{inner}</mteval>".encode())])
    assert list(experiment.test_sets[0].references[0]) == lines("ref & one")
    assert out(experiment, "alpha", "mt08") == lines("alpha &quot;")


SOURCE = sgml("srcset", "", "", "source")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (SOURCE[: len(SOURCE) // 2], "x.sgm, line 9: another tag inside|x.sgm: <set> is not closed"),
        (SOURCE.replace("</seg>", "", 1), "x.sgm, line 5: another tag inside a <seg>"),
        (SOURCE.replace(' docid="d1"', ""), "x.sgm: a <doc> has no docid"),
        (SOURCE.replace(' id="1"', ""), "x.sgm: a <seg> has no id"),
        (SOURCE.replace("seg", "s"), "x.sgm: holds no segments"),
        (SOURCE.replace('id="2"', 'id="1"'), "x.sgm: segment 1 of document 'd1' occurs twice"),
        ("<srcset>" * 9, "is not closed"),
        ("</seg></doc><seg id='1'>x</seg></srcset><tstset>", "is not closed"),
    ],
)
def test_damaged_sgml_is_named(text, words):
    others = [("r.sgm", sgml("refset", "", "", "r").encode()), ("t.sgm", sgml("tstset", "", "", "t").encode())]
    with pytest.raises(LoadError, match=words) as caught:
        load([("x.sgm", text.encode()), *others])
    assert caught.value.file == "x.sgm"


@pytest.mark.slow
def test_many_open_tags_take_no_time():
    with pytest.raises(LoadError):
        load([("x.sgm", b"<refset><doc " * 100_000)])
