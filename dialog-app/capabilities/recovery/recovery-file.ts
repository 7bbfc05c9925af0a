/** The file that a user keeps: nothing but what they need to come back, and no word that a stranger needs. */
const kebab = (name: string) =>
  name
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .toLowerCase()

export const recoveryFileName = (appName: string): string =>
  [kebab(appName), 'wallet-recovery.txt'].filter((part) => part !== '').join('-')

/** Saved by the browser itself: the text is in no address, and is let go of at once. */
export function saveText(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}
