/** The file that a user keeps: nothing but what they need to come back, and no word that a stranger needs. */
const kebab = (name: string) =>
  name
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .toLowerCase()

export const recoveryFileName = (appName: string): string =>
  [kebab(appName), 'wallet-recovery.txt'].filter((part) => part !== '').join('-')

const savedWithinMs = 60_000

/**
 * The browser itself saves the file, so the text is in no address. A browser may read it after the click, when it
 * has asked where to save: the address is good for a minute, and each press makes a new one.
 */
export function saveText(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), savedWithinMs)
}
