/** A login method that a test controls through its `MethodInProgress`. */
import { defineCapability } from '../contract/capability.ts'
import type { MethodInProgress } from '../contract/login.ts'
import { showElement } from '../flow/screen.ts'
import { texts } from '../i18n/shell-texts.arb'
import { visitorUser } from './fixtures.ts'

/** The method starts when `start` resolves. Its name is `google`. */
export function createControlledMethod({ start }: { start?: Promise<void> } = {}) {
  const progress = Promise.withResolvers<MethodInProgress>()
  /** For each resumption, whether the entry was shown. */
  const resumptions: boolean[] = []
  const capability = defineCapability({
    name: 'oauth',
    loadedFor: 'visitors',
    bring: () => ({
      login: [
        {
          method: 'google',
          appSetting: 'googleOauth',
          shows: 'row',
          load: async () => ({
            account: {
              type: 'google_oauth',
              idOf: () => undefined,
              unlink: () => Promise.reject(new Error('Not here')),
            },
            loadEntry: async () => {},
            async start(started) {
              progress.resolve(started)
              await start
              return {
                entry: showElement(null as never, texts),
                resume: () => resumptions.push(started.isAtEntry()),
              }
            },
          }),
        },
      ],
    }),
  })
  const account = { user: visitorUser, isNewUser: false, loginMethod: 'google', loginAccount: null } as const
  return {
    capability,
    progress: progress.promise,
    resumptions,
    complete: async () => (await progress.promise).complete(account),
  }
}
