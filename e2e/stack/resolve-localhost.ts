import dns from 'node:dns'

/**
 * Makes Node resolve `*.localhost`, like browsers do. Requests that Playwright makes for the browser
 * (`route.fetch`) go through Node.
 */
const local = (hostname: string) => (hostname.endsWith('.localhost') ? '127.0.0.1' : hostname)

type Lookup = (hostname: string, ...rest: readonly unknown[]) => unknown
for (const resolver of [dns, dns.promises]) {
  const lookup = resolver.lookup as Lookup
  const localLookup: Lookup = (hostname, ...rest) => lookup.call(resolver, local(hostname), ...rest)
  Reflect.set(resolver, 'lookup', localLookup)
}
