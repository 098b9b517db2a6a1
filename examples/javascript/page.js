// Gives the chosen file to a worker, so that the page stays usable, and shows how much is done.
const form = document.querySelector("form");
const progress = document.querySelector("progress");
const output = document.querySelector("output");

const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });

worker.onmessage = ({ data: { ready, done, size, result } }) => {
  // What the worker is sent before it is ready may be lost: its imports wait for a WebAssembly module.
  if (ready) form.elements.file.disabled = false;
  if (size) progress.value = done / size;
  output.value = result ?? "";
};
worker.onerror = ({ message }) => (output.value = message);

form.elements.file.onchange = () => {
  const { key, tag, file } = form.elements;
  if (file.files.length === 0) return;
  // A File is sent as a reference; its contents are read in the worker.
  worker.postMessage({ key: key.value, tag: tag.value, file: file.files[0] });
};
