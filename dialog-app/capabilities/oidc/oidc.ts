/** Logins with OpenID providers of the app. Their code loads when a host page names one. */
import { isOidcProvider, product } from '@latchkey/protocol'
import { loadable } from '../../browser/loadable.ts'
import { defineCapability } from '../../contract/capability.ts'
import type { WindowBrowser } from '../../window-login/browser.ts'

/** Creates the capability. Tests pass a fake browser. */
export const oidcIn = (browser?: WindowBrowser) =>
  defineCapability({
    name: 'oidc',
    comes: 'at start',
    loadedFor: 'nobody',
    bring(ports) {
      const code = loadable(async () => (await import('./oidc-code.ts')).createOidcCode(ports, browser))
      return {
        loginNamed: (name) =>
          isOidcProvider(name)
            ? {
                method: name,
                appSetting: undefined,
                shows: 'row',
                isThere: async (asker) => (await ports.load(code.load)).isThere(name, asker),
                load: async () => (await code.load()).method(name),
              }
            : undefined,
        async resume(parameters) {
          if (parameters.has(product.query.oauthCode)) await (await ports.load(code.load)).resume(parameters)
        },
      }
    },
  })

export const oidc = oidcIn()
