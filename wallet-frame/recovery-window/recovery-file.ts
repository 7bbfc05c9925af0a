/** Saves the user's password as a text file. */
const toKebabCase = (name: string) =>
  name
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .toLowerCase()

export const createFileName = (appName: string): string =>
  [toKebabCase(appName), 'wallet-recovery.txt'].filter((part) => part !== '').join('-')

const savedWithinMs = 60_000

/**
 * Saves a text by a download link, so that the text is in no URL. Browsers may read it after the click, when
 * the user has chosen a folder. So the blob URL lives for a minute, and each press creates a new one.
 */
export function saveText(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), savedWithinMs)
}
