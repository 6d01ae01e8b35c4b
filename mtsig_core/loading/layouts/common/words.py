"""What layouts are called where a person reads it."""

from __future__ import annotations

_WORDS = {
    "native": "mtsig's own run folder (SET/systems/SYSTEM/REPLICA with SET/reference)",
    "declared files": "files that experiment.toml names",
    "plain": "systems/SYSTEM/REPLICA with refs/",
    "flat names": "files named by system and run, with a reference",
    "MultEval": "files of MultEval (hyps.*, refs.*)",
    "WMT text": "text files of a WMT task",
    "WMT XML": "XML files of a WMT task",
    "WMT JSON lines": "JSON lines of a WMT task",
    "mt-metrics-eval": "a folder of mt-metrics-eval",
    "fairseq": "logs of fairseq-generate",
    "HF trainer": "predictions of Hugging Face's trainer",
    "Sockeye": "folders of Sockeye",
    "joeynmt": "folders of joeynmt",
    "JSON lines": "records of outputs (JSON lines, or rows of a table)",
    "lm-evaluation-harness": "results of lm-evaluation-harness",
    "Inspect logs": "logs of Inspect",
    "HELM": "runs of HELM",
    "results of HF trainer": "results of Hugging Face's trainer",
    "scores by output": "tables of segment scores, one per output",
    "reports of runs": "reports of scores, one per run",
    "promptfoo": "results of promptfoo",
    "numbers of runs": "scores of whole runs, one number per file",
    "Optuna trials": "trials of an Optuna study",
    "sacreBLEU TSV": "a table of texts with one column per output",
    "NIST SGML": "SGML of NIST or XML of mteval",
    "n-best lists": "n-best lists",
    "segment scores": "scores without text",
    "scores of runs": "scores of whole runs",
    "human judgements": "human judgements alone",
}


def in_words(layout: str) -> str:
    """Return what a layout is, for people, by its name; a name that is not listed as it is."""
    return _WORDS.get(layout, layout)
