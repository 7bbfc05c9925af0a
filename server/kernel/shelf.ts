/**
 * What capabilities add to one running server, without a list of it anywhere: a value is put under a key, and found
 * by whoever has that key, with the type that the key has.
 *
 *     export const mailer = shelfKey<Mailer>('the mailer')
 *     mailer.put(ports, smtp)
 *     mailer.on(ports).send(mail)
 */
export type Shelf = { readonly of: string }

export const newShelf = (of: string): Shelf => ({ of })

export type ShelfKey<Value> = {
  readonly put: (shelf: Shelf, value: Value) => void
  readonly on: (shelf: Shelf) => Value
}

export function shelfKey<Value>(name: string): ShelfKey<Value> {
  const values = new WeakMap<Shelf, { readonly value: Value }>()
  return {
    put: (shelf, value) => values.set(shelf, { value }),
    on(shelf) {
      const found = values.get(shelf)
      if (!found) throw new Error(`${name} is not among ${shelf.of}: is its capability in the list?`)
      return found.value
    },
  }
}
