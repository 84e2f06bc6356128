/** Saves a file from the page. The desktop window refuses this: there, files are saved through the app. */
export function saveFile(name: string, content: string, type: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download no longer needs the URL by then.
  setTimeout(() => {
    URL.revokeObjectURL(url);
  }, 60_000);
}
