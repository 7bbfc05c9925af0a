/** What the developer hears where no method can be offered; the user is told no more than that. */
import { isCrossAppProvider, type LoginMethod, product, socialProviders } from '@latchkey/protocol'
import { isOn, type OfferedMethod } from '../../../../contract/login.ts'
import type { Settings } from '../../../../host/settings.ts'

export function tellOfNoMethod({ app, config }: Settings, brought: readonly OfferedMethod[]): void {
  const wanted = config.loginMethods ?? []
  const on = brought.filter((each) => each.appSetting !== undefined && isOn(app, each))
  const has = on.map(({ method }) => method).join(', ')
  const asks = wanted.length > 0 ? `this page asks for ${wanted.join(', ')}, and ` : ''
  console.error(
    `${product.name}: ${asks}app ${app.id} has ${has || 'no login method'} on. To turn one on: npm run app -- ${turnedOnBy(wanted[0] ?? 'email', app.id)}`,
  )
}

const turnedOnBy = (method: LoginMethod, appId: string) =>
  isCrossAppProvider(method) ? `providers ${appId} add <issuer>` : `set ${appId} ${settingOf(method)}=true`

const settingOf = (method: LoginMethod) =>
  socialProviders.some((provider) => provider === method) ? `${method}_oauth` : `${method}_auth`
