"""Reports of tools, which hold no scores of segments, by how they begin."""

from __future__ import annotations

import re

#: Reports of tools, which hold no scores of segments: how they begin, and why they are not used.
_REPORTS = (
    (re.compile(r'\s*\[\s*\{\s*"x_name"'), "a report of comet-compare, without scores of segments"),
    (re.compile(r'\s*\[?\s*\{\s*"name"\s*:\s*"[^"]+",\s*"score"\s*:[^{]*"signature"\s*:', re.DOTALL),
     "a report of sacreBLEU, without scores of segments"),
    (re.compile(r'\s*\{\s*(?:"evalId"\s*:.{0,200})?"results"\s*:\s*\{\s*"version"\s*:', re.DOTALL),
     "results of promptfoo; write a table with columns system (the provider), segment (the test) and score"),
    (re.compile(r'\s*\{[^{]*"mteb_version"\s*:'), "results of MTEB for a whole task, without scores of segments"),
    (re.compile(r"Wall time,Step,Value\s"), "a curve of TensorBoard over a training, without scores of segments"),
    (re.compile(r'"?Step"?,.*__MIN'), "curves of Weights & Biases over trainings, without scores of segments"),
    (re.compile(r'\s*\{\s*"best_(?:global_step|metric|model_checkpoint)"'),
     "the state of a trainer, with a curve over a training; give all_results.json or eval_results.json of each run"),
    (re.compile(r'\s*\{[^{]*"_(?:runtime|timestamp|step)"\s*:'),
     "the summary of a run of Weights & Biases; export the table of runs as CSV, with columns system, run (the seed) "
     "and those of the scores"),
    (re.compile(r'\s*\{\s*"predict_[a-z]'), "totals of a trainer's run, without scores of segments"),
    (re.compile(r'\s*\{\s*"(?:test_results|testResults)"\s*:\s*\['),
     "results of DeepEval; write a table with columns system, segment and score"),
    (re.compile(r'\s*\{.{0,200}"eval"\s*:\s*\{\s*"(?:HumanEval|Mbpp)/', re.DOTALL),
     "results of EvalPlus; write a table with columns system, segment (the task), replica (the sample) and passed"),
    (re.compile(r'\s*\{\s*"spec"\s*:'),
     "a log of OpenAI's evals; write a table with columns system, segment and score"),
    (re.compile(r'\s*\{\s*"[^"]+"\s*:\s*\{[^{}]*"steps"\s*:\s*\['),
     "curves of Sacred over a training; write the last score of each run, with columns system, run and score"),
    (re.compile(r'[^\n]*\bsplit0_test_'),
     "results of a search of scikit-learn; write one row per setting and split, with columns system (the setting), "
     "fold and score"),
    (re.compile(r'dataset,version,metric,mode,'),
     "a summary of OpenCompass: one score per model and task, without runs"),
    (re.compile(r'\s*\{[^\n]*"(?:training_iteration|time_this_iter_s|iterations_since_restore)"\s*:'),
     "results of Ray Tune, one line per report of one trial during its training; write "
     "tuner.fit().get_dataframe().to_csv('trials.csv'), with columns system, run (the seed) and those of the scores"),
    (re.compile(r'\s*\{\s*"results"\s*:\s*\{'), "results of whole tasks, without scores of segments"),
    (re.compile(r'\s*\{\s*"adapter_spec"\s*:'),
     "the requests of a run of HELM, without scores; give per_instance_stats.json or stats.json of the same run"),
    (re.compile(r"(?:[^\n|]*\n)?\s*\|\s*(?:SPKR|Sum/Avg)\b"),
     "a report of sclite on a whole test set; give the outputs and references (hyp.trn and ref.trn), or a table with "
     "columns system, run and WER"),
    (re.compile(r"%WER \d+\.\d+ \[ \d+ / \d+,"),
     "a report of word error rates; give the outputs and references, one segment per line, or a table with columns "
     "system, run, segment and WER"),
    (re.compile(r'\s*\{\s*"task_id"\s*:\s*"[^"\n]+"\s*,\s*"completion"\s*:(?![^\n]*"passed"\s*:)'),
     "programs, which are judged by running them; give the results, with task_id and passed of each sample"),
    (re.compile(r"(?:[ \t]*[A-Za-z][\w@/. -]{0,60}?[:=][ \t]*[-+]?\d*\.?\d+(?:[eE][-+]?\d+)?[ \t]*%?[ \t]*\r?\n)+\Z"),
     'scores by name; write them as JSON, such as {"bleu": 27.1}, in the folder of their run'),
    (re.compile(r'\s*\{\s*"op_code"\s*:'),
     "the journal of an Optuna study; write study.trials_dataframe().to_csv('trials.csv') and give that"),
)  # fmt: skip


def report_of_tool(head: str) -> str:
    """Return what report of a tool a file is, by its beginning; "" when it is none."""
    return next((reason for pattern, reason in _REPORTS if pattern.match(head[:4096])), "")
