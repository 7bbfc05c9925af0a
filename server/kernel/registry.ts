/**
 * A typed registry of values that capabilities add to a running server. Only code that imports a key can read its
 * value.
 *
 *     export const mailer = registryKey<Mailer>('the mailer')
 *     mailer.set(ports, smtp)
 *     mailer.get(ports).send(mail)
 */
export type Registry = { description: string }

export const newRegistry = (description: string): Registry => ({ description })

export type RegistryKey<Value> = {
  set: (registry: Registry, value: Value) => void
  get: (registry: Registry) => Value
}

export function registryKey<Value>(name: string): RegistryKey<Value> {
  const values = new WeakMap<Registry, { value: Value }>()
  return {
    set: (registry, value) => values.set(registry, { value }),
    get(registry) {
      const entry = values.get(registry)
      if (!entry)
        throw new Error(`${name} is not among ${registry.description}: is its capability in the list?`)
      return entry.value
    },
  }
}
