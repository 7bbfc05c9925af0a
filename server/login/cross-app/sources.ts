/** What the dialog of an app asks its providers itself, and shows of them. */
import type { App } from '../../identity/apps/apps.ts'
import type { ServerConfig } from '../../kernel/config.ts'
import { imageSources, type PageSources } from '../../kernel/http/page-sources.ts'
import type { Reader } from '../../kernel/ports.ts'
import { providersOf } from './providers.ts'

/** An app is read anew each second, and so are its providers. */
const known = new WeakMap<App, Promise<PageSources>>()

export function providerSources(app: App, _config: ServerConfig, reader: Reader): Promise<PageSources> {
  const read = known.get(app) ?? sourcesOf(app, reader)
  known.set(app, read)
  // What could not be read is asked for again.
  read.catch(() => known.delete(app))
  return read
}

async function sourcesOf({ id }: App, reader: Reader): Promise<PageSources> {
  const providers = await providersOf(reader, id)
  const origins = providers.flatMap(({ issuer, customApiUrl }) => [
    new URL(issuer).origin,
    ...(customApiUrl === null ? [] : [customApiUrl]),
  ])
  return { connect: [...new Set(origins)], img: imageSources(providers.map(({ iconUrl }) => iconUrl)) }
}
