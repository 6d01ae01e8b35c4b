"""How files are named: what a name says about reference, source, documents, system and replica."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Literal

#: ISO 639-1, without "mt", which names machine translation more often than Maltese.
_TWO = (
    "aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en "
    "eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja "
    "jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms my na nb nd "
    "ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr "
    "ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu "
)
TWO = frozenset(_TWO.split())

#: Three-letter codes, each with the two letters that mean the same language where there are any.
_THREE = (
    "ara=ar aym bel=be ben=bn bul=bg cat=ca ces=cs cze=cs chi=zh cmn=zh zho=zh cym=cy wel=cy dan=da deu=de ger=de "
    "dsb ell=el gre=el eng=en epo=eo est=et eus=eu baq=eu fas=fa per=fa fin=fi fra=fr fre=fr gle=ga glg=gl guj=gu "
    "hau=ha heb=he hin=hi hrv=hr hsb hun=hu hye=hy arm=hy iku=iu ind=id isl=is ice=is ita=it jpn=ja kan=kn kat=ka "
    "geo=ka kaz=kk khm=km kor=ko lat=la lav=lv lit=lt liv mal=ml mar=mr mkd=mk mac=mk mon=mn msa=ms may=ms mya=my "
    "bur=my nah nep=ne nld=nl dut=nl nor=no nob=nb nno=nn pan=pa pol=pl por=pt pus=ps que=qu quy ron=ro rum=ro "
    "rus=ru sin=si slk=sk slo=sk slv=sl som=so spa=es sqi=sq alb=sq srp=sr swa=sw swh=sw swe=sv tam=ta tel=te "
    "tgl=tl tha=th tur=tr uig=ug ukr=uk urd=ur uzb=uz vie=vi xho=xh yor=yo zul=zu "
)
THREE = dict(pair.partition("=")[::2] for pair in _THREE.split())

Special = Literal["reference", "source", "documents"]

#: Folders of references.
REFERENCES = frozenset(("refs", "ref", "references", "reference"))
#: Names that are those of test sets.
TEST_SET = re.compile(
    r"(?:newstest|test|tst|testset|dev|devtest|valid|validation|eval|heldout|flores|ntrex|wmt|iwslt)[-_]?\d*(?:[-_]?\d+)?",
    re.IGNORECASE,
)

_TEXT_ENDINGS = frozenset((
    "txt", "text", "hyp", "hyps", "out", "output", "trans", "trn", "pred", "tok", "detok", "decodes",
))  # fmt: skip
_ENDINGS = _TEXT_ENDINGS | {"tsv", "tab"}
_ENDING = re.compile(r"\.(?P<ending>parquet|decodes|[A-Za-z]{1,6}|[a-z]{2,3}[-_][A-Za-z]{2,4})$")
#: What may stand behind a role word in one part of a name: a number, a letter, a language, a word of test sets.
_BEHIND = (
    rf"(?:[-_ ]?\d{{1,3}}|[-_]?[A-Za-z]|(?:[-_](?:{'|'.join(sorted({*TWO, *THREE}))}))+|"
    r"[-_ ](?:test|dev|devtest|valid|eval|set|file|text|texts|lines|segments|sentences|human|final|raw|tok|detok|"
    r"translations?|newstest|wmt|bpe|spm|subwords?)[-_]?\d*)?"
)
#: Words before a role word that make it an adjective of a system: multi-source, no-ref.
_BEFORE = (
    r"(?:(?!(?:.*[-_])?(?:multi|no|non|cross|single|dual|self|pseudo|without|with|open|low|high|zero)[-_]).+[-_])?"
)
#: A reference where no file is called one: ``tgt-test.txt`` of OpenNMT.
_TARGET = "tgt|trg|targets?"
_SPECIAL: tuple[tuple[Special, re.Pattern[str]], ...] = (
    ("documents", re.compile(rf"(?:docids?|documents?|docs){_BEHIND}", re.IGNORECASE)),
    ("reference", re.compile(rf"{_BEFORE}(?:refs?|references?|referenz(?:en)?|{_TARGET}){_BEHIND}", re.IGNORECASE)),
    (
        "source",
        re.compile(rf"{_BEFORE}(?:srcs?|sources?){_BEHIND}|(?:orig|originals?|inputs?){_BEHIND}", re.IGNORECASE),
    ),
)
#: A role as the ending of a name that says a run: ``base.seed1.ref`` beside ``base.seed1.hyp``.
_SIDE_OF_RUN = re.compile(r"\.(?:refs?|references?|src|sources?)$", re.IGNORECASE)
_PACKED = re.compile(r"\.(?:gz|zst)$", re.IGNORECASE)
_NO_TEXT = re.compile(
    r"md|json|jsonl|toml|ya?ml|log|csv|xml|html|pdf|png|jpe?g|svg|gif|zip|tar|tgz|xz|bz2|7z|rar|npz|npy|pt|bin|pkl|"
    r"xlsx?|docx?|parquet|py|sh|ini|cfg|conf|gold|exe|so|webp|bmp|tiff?|ico|mp[34]|wav|gz2|rds|rda|rdata|sav|dta|pth|h5|"
    r"hdf5?|feather|arrow|sqlite|db|ods|odt|pptx?|tex|bib|ipynb|align|aln|alignments?|lex|lexicon|vocab|dict|vcb|conllu?|lock|ckpt|safetensors"
)
_NOTES = re.compile(
    r"(readme|licen[cs]e|copying|changelog|known|nohup)(?![a-z])|(?:src|trg|tgt|source|target)[-_.]vocab|"
    r"(?:logs?|stdout|stderr|version|makefile|dockerfile|requirements|environment|hparams|args|pip[-_]freeze)(?:\.txt)?$|"
    r"slurm[-_]\d+(?:_\d+)?(?:\.(?:out|err|txt))?$"
)
_WORDS = (
    r"(?:seed|run|opt|rep|replica|replicate|repeat|repetition|replication|init|random|rand|fold|trial|rng|sample|"
    r"restart|attempt|try|lauf|durchlauf|essai|graine|semilla|seme|semente|prova|\u043f\u0440\u043e\u0433\u043e\u043d|\u0441\u0438\u0434|\u79cd\u5b50)"
)
_MARK = re.compile(rf"{_WORDS}[ ._=:-]?\d+", re.IGNORECASE)
_MARKED = re.compile(rf"^(?P<system>.*?[^ ._-])[ ._-]+(?P<replica>{_WORDS}[ ._=:-]?\d+)$", re.IGNORECASE)
_MARKED_WITHIN = re.compile(
    rf"^(?P<system>(?:.*?[^._-])?)(?P<gap>[._-]*)(?<![A-Za-z0-9])(?P<replica>{_WORDS}[._=-]?\d+)[._-]+(?P<rest>[^\d._-].*)$",
    re.IGNORECASE,
)
_DATED = re.compile(r"run[._=-]?20\d{6}", re.IGNORECASE)  # run-20240105-abcd12: a day, and what is called by it
_PREFIXED = re.compile(r"^(?:hyp|hyps|hypothesis|out|output)\.(?P<system>.+)\.(?P<replica>\d+)$", re.IGNORECASE)
#: Stems that name no system: a number behind them counts replicas.
_OUTPUT_NUMBER = re.compile(
    r"^(?P<system>hyps?|hypothes[ei]s|outs?|outputs?|preds?|predictions?|trans|translations?)[._-]*(?P<replica>\d+)$",
    re.IGNORECASE,
)
#: ``3.5`` or ``v2.1``: a version, whose last digits are no number of their own.
VERSION = re.compile(r"(?:^|[._-]|v)\d+\.\d+$", re.IGNORECASE)
#: Keys of KEY=VALUE names whose value tells replicas apart; ``common.seed`` and ``+trainer.seed`` of hydra, too.
_REPLICA_KEY = re.compile(rf"[+~]*(?:[\w./@-]*[._/-])?{_WORDS}(?:_?(?:id|nr|num|number|index|idx))?", re.IGNORECASE)


def base_name(path: str) -> str:
    """Return the file name without folders and without ``.gz`` or ``.zst``."""
    name = path.rsplit("/", 1)[-1]
    return _PACKED.sub("", name) or name


def special(path: str) -> Special | None:
    """Say whether the name is one of a reference, a source or a list of documents.

    A role word counts only as a whole part of the name between dots (``ted.source.slk``, ``ref-en.txt``), or behind
    the name of a test set (``newstest-ref``): ``reference-free`` and ``source-aware.seed1`` are systems.
    """
    split = special_name(path)
    return split[0] if split else None


def special_name(path: str) -> tuple[Special, str] | None:
    """Return what `special` does, with what stands before the role word: ``ted`` of ``ted.ref.eng``."""
    name = base_name(path)
    says_run = split_marked(_without_text_ending(without_ending(name))) or split_marked(_without_text_ending(name))
    if says_run and not _SIDE_OF_RUN.search(name):
        return None
    parts = name.split(".")
    for kind, pattern in _SPECIAL:
        for i, part in enumerate(parts):
            if match := pattern.fullmatch(part):
                word = re.search(
                    r"(?:^|[-_])(?=(?:ref|tgt|trg|target|src|source|orig|input|doc)[^-_]*(?:[-_][^-_]*){0,2}$)",
                    match[0], re.I,
                )
                within = part[: word.start()] if word else ""
                return kind, ".".join([*parts[:i], *([within] if within else [])])
    return None


def is_target(path: str) -> bool:
    """Say whether a reference is called by the weaker words (``tgt``, ``target``), which give way to ``ref``."""
    words = re.split(r"[._-]", base_name(path).casefold())
    return special(path) == "reference" and not any(re.match(r"ref(?:s|erences?)?\d*", word) for word in words)


def is_no_output(path: str) -> bool:
    """Say whether the name is one of a file that holds no segments: notes, logs, pictures, archives."""
    name = base_name(path)
    ending = name.rsplit(".", 1)[-1].lower() if "." in name else ""
    return _NO_TEXT.fullmatch(ending) is not None or _NOTES.match(name.lower()) is not None


def without_ending(name: str) -> str:
    """Take one ending made of letters (``.txt``, ``.en``, ``.zh-CN``) off a base name."""
    short = _ENDING.sub("", name)
    return short or name


def stems(paths: Sequence[str]) -> dict[str, str]:
    """Return a name for each path: its base name without ending, or with it where two would be equal."""
    short = {path: without_ending(base_name(path)) for path in paths}
    same = Counter(short.values())
    full = {path: base_name(path) if same[name] > 1 else name for path, name in short.items()}
    same = Counter(full.values())
    return {path: path.rsplit("/", 1)[-1] if same[name] > 1 else name for path, name in full.items()}


def split_marked(name: str) -> tuple[str, str] | None:
    """Split ``SYSTEM.seed3``, ``SYSTEM_run3`` or ``SYSTEM-opt3`` into system and replica."""
    match = _MARKED.match(name)
    return (match["system"], match["replica"]) if match else None


def is_count(path: str) -> bool:
    """Say whether a bare number behind a word for outputs was read as the replica: ``out.1``, ``hyp.SYSTEM.2``."""
    names = (_without_text_ending(base_name(path)), bare_stem(path))
    return any(_PREFIXED.match(name) or _OUTPUT_NUMBER.match(name) for name in names)


def is_mark(name: str) -> bool:
    """Say whether a name says nothing but a replica: ``seed3``, ``run_1``, ``7``."""
    return name.isdecimal() or _MARK.fullmatch(name) is not None


def split_flat(path: str) -> tuple[str, str] | None:
    """Split a file name into system and replica by itself, or return None when it names no replica.

    ``SYSTEM.seedK.txt``, ``SYSTEM_runK``, ``hyp.SYSTEM.K``, ``out.K``, ``KEY=VALUE,seed=K``. A bare number behind the
    name of a system (``gpt-4``) may be a version; `mtsig_core.loading.recognition.replicas` looks at all names.
    """
    bare = _without_text_ending(base_name(path))
    stem = bare_stem(path)
    return _split_whole(bare) or _split_whole(stem) or _split_within(stem) or _split_whole(without_ending(bare))


def _split_whole(name: str) -> tuple[str, str] | None:
    """Split a name whose last part, or one key of it, says the replica."""
    if pair := split_keys(name) or split_marked(name):
        return pair
    match = None if VERSION.search(name) else _PREFIXED.match(name) or _OUTPUT_NUMBER.match(name)
    return (match["system"], match["replica"]) if match else None


def _split_within(name: str) -> tuple[str, str] | None:
    """Split ``base.seed1.beam5`` or ``seed1-base``: what stands around the replica is the system."""
    match = _MARKED_WITHIN.match(name)
    if match is None or (not match["system"] and _DATED.fullmatch(match["replica"])):
        return None
    system = "".join(filter(None, (match["system"], match["gap"] if match["system"] else "", match["rest"])))
    return system, match["replica"]


def bare_stem(path: str) -> str:
    """Return a base name without the endings of files and of languages: ``seed1`` of ``seed1.de.txt``."""
    name = base_name(path)
    while True:
        head, _, ending = name.rpartition(".")
        known = ending.casefold() in _ENDINGS or language_of(ending) or _NO_TEXT.fullmatch(ending.casefold())
        if not head or not known:
            return name
        name = head


def split_keys(name: str) -> tuple[str, str] | None:
    """Split ``KEY=VALUE`` pairs: keys that say seed, run, fold or trial are the replica, the others the system.

    Returns None for a name without such pairs. The system is "" where nothing but a replica is named.
    """
    if "=" not in name:
        return None
    pieces = [piece for part in re.split(r"[,;&](?![^\[(]*[\])])", name) for piece in _pairs(part)]
    system: list[str] = []
    replica: list[str] = []
    for piece in pieces:
        key = piece.partition("=")[0]
        is_replica = _REPLICA_KEY.fullmatch(key) if "=" in piece else _MARK.fullmatch(piece)
        (replica if is_replica else system).append(piece)
    return ",".join(system), ",".join(replica)


def _pairs(text: str) -> list[str]:
    """Split ``trial_12_lr=0.1-seed=2`` into its pairs."""
    if mark := re.match(rf"({_WORDS}[._-]?\d+)[-_](?=[A-Za-z_]+\w*=)", text, re.IGNORECASE):
        return [mark[1], *_pairs(text[mark.end() :])]
    match = re.match(r"([^=]*=[^=]*?)[-_](?=[A-Za-z][\w.]*=)", text)
    return [match[1], *_pairs(text[match.end() :])] if match else [text.strip()] if text.strip() else []


def without_text_ending(name: str) -> str:
    """Take one ending of text files (``.txt``, ``.hyp``) off a base name."""
    return _without_text_ending(name)


def _without_text_ending(name: str) -> str:
    head, dot, ending = name.rpartition(".")
    return head if dot and head and ending.lower() in _TEXT_ENDINGS else name


def language_of(ending: str) -> str:
    """Return one code for a language, or "" for an ending that is none: "eng", "en" and "en-US" are "en"."""
    code = ending.replace("_", "-").split("-")[0].casefold()
    if code in TWO:
        return code
    return (THREE[code] or code) if code in THREE else ""


def language_of_name(name: str) -> str:
    """Return the language that the last part of a base name says, looking past an ending such as ``.txt``."""
    parts = name.split(".")
    for part in reversed(parts[1:][-2:]):
        if language := language_of(part):
            return language
        if part.casefold() not in ("txt", "text", "tok", "detok", "raw", "plain", "lc", "true", "truecase"):
            return ""
    return ""
