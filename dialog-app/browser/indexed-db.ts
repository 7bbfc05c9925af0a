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
