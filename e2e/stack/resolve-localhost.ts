import dns from 'node:dns'

/**
 * Browsers resolve `*.localhost` by themselves; Node asks the system, which may not know it. Requests that
 * Playwright makes on the browser's behalf (`route.fetch`) go through Node.
 */
const local = (hostname: string) => (hostname.endsWith('.localhost') ? '127.0.0.1' : hostname)

type Lookup = (hostname: string, ...rest: readonly unknown[]) => unknown
for (const resolver of [dns, dns.promises]) {
  const lookup = resolver.lookup as Lookup
  const localLookup: Lookup = (hostname, ...rest) => lookup.call(resolver, local(hostname), ...rest)
  Reflect.set(resolver, 'lookup', localLookup)
}
