import threading
import time

import pytest

from mtsig_core.runtime.jobs import Cancelled, Job, subprogress


def test_a_job_publishes_a_quick_answer_and_ends_with_the_full_one():
    go_on = threading.Event()

    def work(progress, publish):
        publish("quick")
        go_on.wait(5)
        progress(0.5, "halfway")
        return "full"

    job = Job(work).start()
    deadline = time.monotonic() + 5
    while job.version == 0 and time.monotonic() < deadline:
        time.sleep(0.01)
    assert (job.result, job.final, job.state) == ("quick", False, "running")
    go_on.set()
    assert job.wait(5)
    assert (job.result, job.final, job.state, job.version) == ("full", True, "done", 2)
    assert (job.fraction, job.doing) == (0.5, "halfway")


def test_a_cancelled_job_stops_at_its_next_report_and_keeps_what_it_published():
    reached = threading.Event()

    def work(progress, publish):
        publish("quick")
        for i in range(10_000):
            progress(i / 10_000)
            reached.set()
            time.sleep(0.001)
        return "full"

    job = Job(work).start()
    assert reached.wait(5)
    job.cancel()
    assert job.wait(1)
    assert job.state == "cancelled"
    assert isinstance(job.error, Cancelled)
    assert (job.result, job.final) == ("quick", False)


def test_a_failing_job_keeps_its_error():
    def work(progress, publish):
        raise ValueError("no such file")

    job = Job(work).start()
    assert job.wait(5)
    assert job.state == "failed"
    assert str(job.error) == "no such file"


@pytest.mark.parametrize(("given", "seen"), [(0.0, 0.2), (0.5, 0.35), (1.0, 0.5), (7.0, 0.5), (-1.0, 0.2)])
def test_part_of_maps_onto_its_part(given, seen):
    reports = []
    subprogress(lambda fraction, what="": reports.append(fraction), 0.2, 0.5)(given)
    assert reports == pytest.approx([seen])
