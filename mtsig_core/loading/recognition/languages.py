"""Codes of languages at the end of file names: whether an ending is one, and whether two mean the same language."""

from __future__ import annotations

#: ISO 639-1, without "mt", which names machine translation more often than Maltese.
TWO = frozenset(
    "aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo "
    "es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka "
    "kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms my na nb nd ne ng nl "
    "nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv "
    "sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu".split()
)
#: ISO 639-2 and -3 of languages that occur in translation tasks, with the code of two letters where there is one.
THREE = dict(
    pair.split(":")
    for pair in (
        "ara:ar aym: bel:be ben:bn bul:bg cat:ca ces:cs cze:cs chi:zh cmn:zh zho:zh cym:cy wel:cy dan:da deu:de ger:de "
        "dsb: ell:el gre:el eng:en epo:eo est:et eus:eu baq:eu fas:fa per:fa fin:fi fra:fr fre:fr gle:ga glg:gl guj:gu "
        "hau:ha heb:he hin:hi hrv:hr hsb: hun:hu hye:hy arm:hy iku:iu ind:id isl:is ice:is ita:it jpn:ja kan:kn kat:ka "
        "geo:ka kaz:kk khm:km kor:ko lat:la lav:lv lit:lt liv: mal:ml mar:mr mkd:mk mac:mk mon:mn msa:ms may:ms mya:my "
        "bur:my nah: nep:ne nld:nl dut:nl nor:no nob:nb nno:nn pan:pa pol:pl por:pt pus:ps que:qu quy: ron:ro rum:ro "
        "rus:ru sin:si slk:sk slo:sk slv:sl som:so spa:es sqi:sq alb:sq srp:sr swa:sw swh:sw swe:sv tam:ta tel:te "
        "tgl:tl tha:th tur:tr uig:ug ukr:uk urd:ur uzb:uz vie:vi xho:xh yor:yo zul:zu"
    ).split()
)


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
