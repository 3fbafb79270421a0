/** A still picture of what the camera sees: the sensor's own photo where the browser can take one, else the video's frame. */
const PHOTO_WAIT_MS = 4000; // some phones never answer

const late = () => new Promise((_, reject) => setTimeout(() => reject(new Error("no answer")), PHOTO_WAIT_MS));

async function ofSensor(track) {
  const photo = await Promise.race([new ImageCapture(track).takePhoto(), late()]);
  if (!photo?.size) throw new Error("empty photo");
  return photo;
}

function ofVideo(video) {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [video.videoWidth, video.videoHeight];
  canvas.getContext("2d").drawImage(video, 0, 0);
  return new Promise((resolve, reject) =>
    canvas.toBlob((photo) => (photo ? resolve(photo) : reject(new Error("no picture"))), "image/jpeg", 0.92),
  );
}

export async function takeStill(track, video) {
  if ("ImageCapture" in window) {
    try {
      return await ofSensor(track);
    } catch {
      // the frame of the video will do
    }
  }
  return ofVideo(video);
}
