"""The sidebar's choice of metrics, and of what they do with words and letters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import streamlit as st

from mtsig_core.experiment import Experiment
from mtsig_core.metrics import (
    LANGUAGES,
    TOKENIZERS,
    Metric,
    available_metrics,
    choose_metric,
    default_metrics,
    default_tokenizer,
    metric_problems,
    target_language,
)
from mtsig_core.workbench import Workbench
from pages.parts import address
from pages.parts.text import literal

_ADDRESS: Literal["query-params"] = "query-params"
_KEY = "metrics"


@dataclass(frozen=True)
class _Defaults:
    """What an experiment suggests."""

    language: str
    language_reason: str
    tokenizer: str
    tokenizer_reason: str


@st.cache_data(max_entries=32, show_spinner=False, hash_funcs={Experiment: lambda e: (e.digest, e.name)})
def _defaults(experiment: Experiment) -> _Defaults:
    language, tokenizer = target_language(experiment), default_tokenizer(experiment)
    return _Defaults(language.value, language.reason, tokenizer.value, tokenizer.reason)


def reset(experiment: Experiment) -> None:
    """Give the controls what suits another experiment."""
    known = available_metrics(experiment)
    chosen = [name for name in st.session_state.get("metrics", []) if name in known]
    st.session_state[_KEY] = chosen or list(default_metrics(experiment))
    if experiment.has_text:
        suggested = _defaults(experiment)
        st.session_state.lang, st.session_state.tok = suggested.language, suggested.tokenizer


def _forgive(labels: dict[str, str], defaults: Sequence[str]) -> None:
    """Take a metric that an address typed by hand gives by its name, in any case, or in a list with commas.

    What is no metric is said on the page.
    """
    meant = {key.casefold(): name for name, label in labels.items() for key in (name, label)}
    given = st.query_params.get_all("metrics")
    if "metrics" in st.session_state or set(given) <= set(labels.values()):
        return
    words = [word.strip() for text in given for word in ([text] if text.casefold() in meant else text.split(","))]
    named = [meant[word.casefold()] for word in words if word.casefold() in meant]
    unknown = [word for word in words if word and word.casefold() not in meant]
    if named:
        st.query_params["metrics"] = [labels[name] for name in named]
        st.session_state[_KEY] = named
    else:
        del st.query_params["metrics"]
    if unknown:
        used = ", ".join(labels[name] for name in named or defaults)
        address.refuse("metrics", ", ".join(unknown), f"It must be some of {address.some(list(labels.values()))}", used)


def chosen_names(experiment: Experiment) -> list[str]:
    """Draw the choice of metrics and return their names; the first usual one where none is chosen."""
    labels = {name: choose_metric(experiment, name).label for name in available_metrics(experiment)}
    defaults = list(default_metrics(experiment))
    _forgive(labels, defaults)
    picked = st.multiselect(
        "Metrics", list(labels), defaults,
        format_func=labels.__getitem__, key=_KEY, bind=_ADDRESS,
        help="A metric is computed the first time you choose it; TER may take minutes. Metrics "
        "whose scores came with the experiment are listed last.",
    )
    names = picked or defaults[:1]
    if not picked:
        st.caption(f"No metric chosen: {literal(labels[names[0]])} is shown.")
    for problem in metric_problems():
        st.caption(f":material/warning: {literal(problem)}")
    return names


def metrics_as_set(experiment: Experiment, names: Sequence[str]) -> tuple[Metric, ...]:
    """Draw how text is treated, where there is text, and return the metrics as these settings make them."""
    if not experiment.has_text:
        return tuple(choose_metric(experiment, name) for name in names)
    tokenize, language = _words(experiment)
    for key in ("lower", "nfc"):
        address.check_switch(key, False)
    lowercase = st.toggle("Ignore case", key="lower", bind=_ADDRESS)
    nfc = st.toggle(
        "Normalise Unicode (NFC)", key="nfc", bind=_ADDRESS,
        help="Unicode can write é as one character or as e and an accent. Turn on to compare both as the same "
        "character (normal form C); the signature then says norm:NFC.",
    )
    return tuple(
        choose_metric(experiment, name, tokenize=tokenize, lowercase=lowercase, language=language or None, nfc=nfc)
        for name in names
    )


def changes(experiment: Experiment) -> list[str]:
    """Say what differs from the usual treatment of text."""
    if not experiment.has_text:
        return []
    suggested, state = _defaults(experiment), st.session_state
    parts = []
    if state.get("lang", suggested.language) != suggested.language:
        parts.append(f"target language {_language(state['lang'])}")
    if state.get("tok", suggested.tokenizer) != suggested.tokenizer:
        parts.append(f"tokenizer {state['tok']}")
    parts += [word for key, word in (("lower", "case ignored"), ("nfc", "NFC")) if state.get(key)]
    return parts


def _words(experiment: Experiment) -> tuple[str, str]:
    """Return the tokenizer and the code of the target language."""
    suggested = _defaults(experiment)
    codes = ["", *dict.fromkeys([*filter(None, [suggested.language]), *LANGUAGES])]
    reason = f" Recognised: {suggested.language_reason}." if suggested.language_reason else ""
    address.check_choice("lang", codes, _language(suggested.language), _language)
    language = st.selectbox(
        "Target language", codes, index=codes.index(suggested.language), key="lang", bind=_ADDRESS,
        format_func=_language,
        on_change=_take_usual_tokenizer, args=(experiment,),
        help=f"Chooses the usual tokenizer, and METEOR's stems.{reason}",
    )
    usual = default_tokenizer(experiment, language).value if language != suggested.language else suggested.tokenizer
    address.check_choice("tok", TOKENIZERS, f"the tokenizer {suggested.tokenizer}")
    tokenize = st.selectbox(
        "Tokenizer", TOKENIZERS, index=TOKENIZERS.index(suggested.tokenizer), key="tok", bind=_ADDRESS,
        help="For metrics of words (all but chrF, TER and exact match). 13a for plain text; none for text that is "
        "already tokenized; zh, ja-mecab, ko-mecab or char for Chinese, Japanese and Korean. Here "
        f"{suggested.tokenizer}: {suggested.tokenizer_reason}.",
    )
    if tokenize != usual:
        st.caption(f":material/info: Usual here is the tokenizer {usual}; scores with another differ.")
    return tokenize, language


def _language(code: str) -> str:
    return LANGUAGES.get(code, code) or "Not known"


def _take_usual_tokenizer(experiment: Experiment) -> None:
    st.session_state.tok = default_tokenizer(experiment, st.session_state.lang).value


def about(bench: Workbench, test_set: str, metrics: Sequence[Metric]) -> None:
    """Draw what the chosen metrics measure, what they are bad at, and their signatures."""
    with st.popover("About these metrics", icon=":material/help:", type="tertiary"):
        for metric in metrics:
            st.markdown(
                f"**{literal(metric.label)}**: {metric.direction}; {metric.scale}.\n\n{metric.explanation}\n\n"
                f"*Bad at:* {metric.weakness}"
            )
            st.code(bench.signature(test_set, metric), language=None, wrap_lines=True)
