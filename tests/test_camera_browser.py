"""The camera in the page: explained first, loosened when it fails, the right lens, alive again after a pause."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from assistant_api.settings import Settings
from tests.support.browser import OpenPage, chromium, listening, opened_pages, until
from tests.support.camera import CAMERA_FLAGS, write_clip
from tests.support.scan import PHOTO, TRUTH, scan_server, shot

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Playwright

pytestmark = [pytest.mark.browser, pytest.mark.slow]

COUNTED = """
const media = navigator.mediaDevices;
const real = media.getUserMedia.bind(media);
window.asked = [];
media.getUserMedia = (wanted) => { asked.push(wanted); return answer(real, wanted); };
"""
ALLOWED = COUNTED + "var answer = (real, wanted) => real(wanted);"
STATE = "document.getElementById('viewfinder').dataset.state"
VIDEO = "document.querySelector('#viewfinder video')"


def failing(name: str, times: int) -> str:
    """A script that makes the first calls for the camera fail with this error."""
    return COUNTED + (
        f"var answer = (real, wanted) => asked.length <= {times}"
        f" ? Promise.reject(new DOMException('no', '{name}')) : real(wanted);"
    )


@pytest.fixture(scope="module")
def camera_browser(driver: Playwright, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A Chromium whose camera shows the sample, and which takes ``table.test`` for this machine."""
    clip = write_clip(PHOTO, tmp_path_factory.mktemp("camera") / "sample.y4m", size=(TRUTH["width"], TRUTH["height"]))
    resolver = "--host-resolver-rules=MAP table.test 127.0.0.1"
    with chromium(driver, *CAMERA_FLAGS, f"--use-file-for-fake-video-capture={clip}", resolver) as found:
        yield found


@pytest.fixture
def address(settings: Settings) -> Iterator[str]:
    """A server that reads the sample."""
    with scan_server(settings) as found:
        yield found


@pytest.fixture
def open_page(camera_browser: Browser, address: str) -> Iterator[OpenPage]:
    """Opens the scan page, with a script that runs before its own."""
    with opened_pages(camera_browser) as make:

        def open_path(script: str = ALLOWED, host: str = address, **options: Any) -> Page:
            page = make("about:blank", **options)
            page.add_init_script(script)
            page.goto(host + "/")
            listening(page)
            return page

        yield open_path


def start(page: Page) -> None:
    """Open the camera by the button and go on after the explanation."""
    page.click("#open-camera")
    page.click('[data-key="start"]')


def live(page: Page) -> None:
    """Wait for the picture."""
    page.wait_for_selector("#shutter:enabled")
    until(page, f"{VIDEO}.videoWidth > 0")


def test_the_camera_is_explained_then_shows_then_takes_a_photo(open_page: OpenPage, tmp_path: Path) -> None:
    """Nothing is asked before the explanation; then live with a mark; the photo comes back with a box on each tile."""
    page = open_page()
    page.click("#open-camera")
    assert page.is_visible('.finder-card[data-state="explain"]')
    assert page.evaluate("asked.length") == 0
    shot(page, "camera-1-explain")
    page.click('[data-key="start"]')
    live(page)
    assert page.is_visible(".finder-mark.on")
    assert page.evaluate("asked")[0]["video"]["facingMode"] == {"ideal": "environment"}
    assert "exact" not in page.evaluate("JSON.stringify(asked)")
    shot(page, "camera-2-live")
    page.evaluate(f"window.track = {VIDEO}.srcObject.getVideoTracks()[0]")
    page.click("#shutter")
    page.wait_for_selector("#count")
    assert page.evaluate("track.readyState") == "ended", "the camera goes off with the photo"
    assert page.locator(".box").count() == len(TRUTH["tiles"])
    photo = page.evaluate("JSON.parse(localStorage.draft).photo")
    assert (photo["width"], photo["height"]) == (TRUTH["width"], TRUTH["height"])
    page.evaluate("localStorage.removeItem('draft')")
    page.reload()
    listening(page)
    page.click("#open-camera")
    live(page)


def test_without_a_still_camera_the_frame_of_the_video_does(open_page: OpenPage) -> None:
    """Where `ImageCapture` is missing, or never answers, the photo is drawn from the video."""
    page = open_page(ALLOWED + "delete window.ImageCapture;")
    start(page)
    live(page)
    page.click("#shutter")
    page.wait_for_selector("#count")
    photo = page.evaluate("JSON.parse(localStorage.draft).photo")
    assert (photo["width"], photo["height"]) == (TRUTH["width"], TRUTH["height"])


def test_report_31_http_explains_and_offers_a_photo(open_page: OpenPage, address: str) -> None:
    """At a plain http address the page says why there is no camera; the phone's own camera app does it."""
    page = open_page("", address.replace("127.0.0.1", "table.test"))
    assert page.evaluate("window.isSecureContext") is False
    assert page.is_visible("#insecure")
    assert page.is_visible("label.primary[for=camera]"), "the phone's camera app is the first thing offered"
    page.click("#open-camera")
    card = page.locator('.finder-card[data-state="insecure"]')
    assert "https" in card.inner_text()
    shot(page, "camera-3-insecure")
    with page.expect_file_chooser() as chooser:
        card.locator("label").click()
    assert page.locator("#viewfinder").get_attribute("open") is None
    chooser.value.set_files(PHOTO)
    page.wait_for_selector("#count")
    assert page.locator(".box").count() == len(TRUTH["tiles"])


@pytest.mark.parametrize("error", ["OverconstrainedError", "NotReadableError", "TypeError"])
def test_report_32_a_failed_start_is_tried_again_with_looser_wishes(open_page: OpenPage, error: str) -> None:
    """The first call fails: the second asks for any camera and shows it."""
    page = open_page(failing(error, 1))
    start(page)
    live(page)
    assert [wanted["video"] is True for wanted in page.evaluate("asked")] == [False, True]


def test_report_32_then_there_is_a_message_with_one_action(open_page: OpenPage) -> None:
    """Both calls fail: one sentence, one button, and that button works."""
    page = open_page(failing("NotReadableError", 2))
    start(page)
    card = page.locator('.finder-card[data-state="error"]')
    card.wait_for()
    assert page.evaluate("asked.length") == 2
    assert card.locator("button, label").count() == 1
    shot(page, "camera-4-error")
    card.locator("button").click()
    live(page)


def test_a_refused_camera_is_not_asked_for_twice(open_page: OpenPage) -> None:
    """A person who said no is told what to do, not asked again; the phone's camera app is offered."""
    page = open_page(failing("NotAllowedError", 9))
    start(page)
    page.wait_for_selector('.finder-card[data-state="denied"] label[for="camera"]')
    assert page.evaluate("asked.length") == 1


def test_a_device_without_camera_says_so(open_page: OpenPage) -> None:
    """No camera at all: both calls fail with not found."""
    page = open_page(failing("NotFoundError", 9))
    start(page)
    page.wait_for_selector('.finder-card[data-state="unavailable"] label[for="camera"]')


FOUR_LENSES = """
const names = ["camera2 1, facing front", "camera2 0, facing back", "camera2 2, facing back", "camera2 3, facing back"];
navigator.mediaDevices.enumerateDevices = async () =>
  names.map((label, place) => ({ kind: "videoinput", deviceId: `id${place}`, label, groupId: "" }));
var answer = async (real, wanted) => {
  const stream = await real({ video: true });
  const place = wanted.video.deviceId ? Number(wanted.video.deviceId.ideal.slice(2)) : 2;
  Object.defineProperty(stream.getVideoTracks()[0], "label", { value: names[place] });
  return stream;
};
"""


def test_report_33_a_lens_is_chosen_and_remembered(open_page: OpenPage) -> None:
    """Of four cameras the three that look at the table can be chosen; the next visit starts with the choice."""
    page = open_page(COUNTED + FOUR_LENSES)
    start(page)
    live(page)
    assert page.locator("#lens option").count() == 3
    assert page.input_value("#lens") == "id2"
    page.select_option("#lens", "id1")
    until(page, f"asked.length === 2 && {STATE} === 'live'")
    assert page.input_value("#lens") == "id1"
    shot(page, "camera-5-lenses")
    page.reload()
    listening(page)
    page.click("#open-camera")
    live(page)
    assert page.input_value("#lens") == "id1"
    assert page.evaluate("asked.map(({ video }) => video.deviceId?.ideal)") == ["id1"]


def come_back(page: Page) -> None:
    """All the events that say the page shows again, one after the other."""
    page.evaluate(
        """for (const [place, name] of [[window, 'pageshow'], [window, 'focus'], [document, 'visibilitychange']])
             place.dispatchEvent(new Event(name));"""
    )


@pytest.mark.parametrize(
    "death",
    ["track.stop()", "Object.defineProperty(track, 'muted', { value: true })"],
    ids=["ended", "muted"],
)
def test_report_35_a_dead_camera_is_started_once(open_page: OpenPage, death: str) -> None:
    """After unlocking the picture is black: one restart, whatever number of events fire; a live one is left alone."""
    page = open_page()
    start(page)
    live(page)
    come_back(page)
    assert page.evaluate("asked.length") == 1
    page.evaluate(f"const track = {VIDEO}.srcObject.getVideoTracks()[0]; {death}")
    come_back(page)
    until(page, f"asked.length > 1 && {STATE} === 'live'")
    come_back(page)
    page.wait_for_timeout(500)
    assert page.evaluate("asked.length") == 2
    assert page.evaluate(f"{VIDEO}.srcObject.getVideoTracks()[0].readyState") == "live"


SLOW_FIRST = """
window.streams = [];
var answer = async (real, wanted) => {
  const late = asked.length === 1;
  const stream = await real(wanted);
  streams.push(stream);
  if (late) await new Promise((resolve) => (window.letGo = resolve));
  return stream;
};
"""


def test_a_late_answer_to_an_older_request_is_stopped(open_page: OpenPage) -> None:
    """Closed while starting, then opened again: the first stream goes off as soon as it comes."""
    page = open_page(COUNTED + SLOW_FIRST)
    start(page)
    page.wait_for_selector('.finder-card[data-state="requesting"]')
    until(page, "window.letGo !== undefined")
    page.click('[data-key="cancel"]')
    page.click("#open-camera")
    live(page)
    page.evaluate("letGo()")
    until(page, "streams[0].getTracks()[0].readyState === 'ended'")
    assert page.evaluate("streams[1].getTracks()[0].readyState") == "live"
    assert page.evaluate(STATE) == "live"


DARK = """
const canvas = document.createElement("canvas");
[canvas.width, canvas.height] = [640, 480];
setInterval(() => {
  const brush = canvas.getContext("2d");
  brush.fillStyle = Date.now() % 2 ? "#000000" : "#100000";
  brush.fillRect(0, 0, 640, 480);
}, 100);
var answer = async () => canvas.captureStream(10);
window.lit = [];
MediaStreamTrack.prototype.getCapabilities = () => ({ torch: true });
MediaStreamTrack.prototype.applyConstraints = async ({ advanced: [{ torch }] }) => void lit.push(torch);
"""


def test_light_is_suggested_in_the_dark_and_only_where_there_is_one(open_page: OpenPage) -> None:
    """The button appears when the lens lists a torch, the advice after seconds of darkness; nothing goes on alone."""
    page = open_page(COUNTED + DARK)
    start(page)
    live(page)
    page.wait_for_selector(".finder-tip.dark")
    assert page.evaluate("lit") == []
    page.click("#torch")
    until(page, "document.getElementById('torch').getAttribute('aria-pressed') === 'true'")
    assert page.evaluate("lit") == [True]
    shot(page, "camera-6-dark")
    other = open_page()
    start(other)
    live(other)
    assert other.locator("#torch").count() == 0


LOCKS = """
window.locks = [];
Object.defineProperty(navigator, "wakeLock", { value: { request: async () => {
  const lock = new EventTarget();
  lock.release = async () => { lock.gone = true; lock.dispatchEvent(new Event("release")); };
  locks.push(lock);
  return lock;
} } });
"""


def test_the_screen_stays_on_while_the_camera_is(open_page: OpenPage) -> None:
    """Asked for with the picture, asked for again when the page shows again, released with the camera."""
    page = open_page(ALLOWED + LOCKS)
    start(page)
    live(page)
    until(page, "locks.length === 1")
    page.evaluate("locks[0].dispatchEvent(new Event('release'))")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    until(page, "locks.length === 2")
    page.click('[data-key="close-finder"]')
    until(page, "locks[1].gone === true")
    assert page.evaluate("locks.length") == 2
