/** Stored settings of this page. If the browser refuses storage, nothing is stored. */

const withStorage = <T>(use: (storage: Storage) => T): T | null => {
  try {
    return use(localStorage)
  } catch {
    return null
  }
}

export const readKept = (name: string) => withStorage((storage) => storage.getItem(name))
export const storeText = (name: string, text: string) => withStorage((storage) => storage.setItem(name, text))
export const forget = (name: string) => withStorage((storage) => storage.removeItem(name))
