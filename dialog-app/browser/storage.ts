/** IndexedDB helpers, and the error for blocked storage. */
import { LatchkeyError } from '@latchkey/protocol'

/** The part of IndexedDB that opens a database with one store. */
export type Databases = Pick<IDBFactory, 'open'>

export function openDatabase(factory: Databases, name: string, store: string): Promise<IDBDatabase> {
  const opening = factory.open(name, 1)
  opening.onupgradeneeded = () => opening.result.createObjectStore(store)
  return toPromise(opening)
}

export function toPromise<T>(running: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    running.onsuccess = () => resolve(running.result)
    running.onerror = () => reject(running.error)
  })
}

/** Developers see this error most often, because Playwright's default flags block storage in frames. Its docs say so. */
export const storageUnavailable = (cause?: unknown): LatchkeyError =>
  new LatchkeyError('session_storage_unavailable', 'This browser stores no data for the dialog', { cause })
