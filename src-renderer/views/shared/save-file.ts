/** Saves it as the page saves files, which the desktop window refuses: there it goes through the app. */
export function saveFile(name: string, content: string, type: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download has taken what it needs by then.
  setTimeout(() => {
    URL.revokeObjectURL(url);
  }, 60_000);
}
