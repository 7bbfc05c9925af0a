/** What a browser keeps of this page in a database, and the error of one that keeps nothing. */
import { LatchkeyError } from '@latchkey/protocol'

/** IndexedDB by promises: a database that has one store. */
export type Databases = Pick<IDBFactory, 'open'>

export function openDatabase(factory: Databases, name: string, store: string): Promise<IDBDatabase> {
  const opening = factory.open(name, 1)
  opening.onupgradeneeded = () => opening.result.createObjectStore(store)
  return answerOf(opening)
}

export function answerOf<T>(running: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    running.onsuccess = () => resolve(running.result)
    running.onerror = () => reject(running.error)
  })
}

/** Most who read this are developers: Playwright's own flags do to every frame what a strict browser does. */
export const noStorage = (cause?: unknown): LatchkeyError =>
  new LatchkeyError(
    'session_storage_unavailable',
    'This browser keeps no data for the dialog (Playwright: see the README)',
    { cause },
  )
