/** The standalone dialog: a login, then the account screen until the user logs out, in turns. */
import { toLatchkeyError, type UserRecord } from '@latchkey/protocol'
import { createCall } from '../../app/screen-stack.ts'
import type { AccountRowEntry } from '../../contract/account.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import { done, exitCodes, type Flow } from '../../flow/flow.ts'
import { toLanguage } from '../../i18n/languages.ts'
import { signedInScreen } from './screens.ts'

/** Nothing closes a standalone dialog, so a login ends with a user or with an error. */
export async function runStandalone(ports: CapabilityPorts): Promise<never> {
  const { stage, logIn, refusals } = ports
  const { signal } = new AbortController()
  for (;;) {
    try {
      await logIn({ signal })
      await stage.begin(showAccount(ports))
    } catch (error) {
      // After a cancelled login, the next one begins.
      if (toLatchkeyError(error, 'error', '').code !== exitCodes.login) await refusals.tell(error)
    }
  }
}

const showAccount = (ports: CapabilityPorts): Flow<void> =>
  createCall<void>(
    ports,
    { kind: 'login', isPatient: true, isUnderOthers: true, onClose: () => done(undefined) },
    async ({ open }) => {
      const user = loggedInUser(ports)
      if (!user) return
      const entries = await loadEntries(ports, user)
      if (loggedInUser(ports)) await open(signedInScreen, { entries })
    },
  )

function loggedInUser({ session }: CapabilityPorts): UserRecord | undefined {
  const state = session.state()
  return state.status === 'authenticated' ? state.user : undefined
}

/** Loads the entries with their texts. The account is shown without an entry that does not load. */
async function loadEntries(
  { account, settings, load }: CapabilityPorts,
  user: UserRecord,
): Promise<readonly AccountRowEntry[]> {
  const language = toLanguage(settings().config.intl?.locale)
  const here = account().filter(({ isHere }) => isHere(settings(), user))
  const loaded = await Promise.allSettled(
    here.map(async (entry) => {
      const row = await load(entry.load)
      await row.texts.load(language)
      return row
    }),
  )
  return loaded.flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
}
