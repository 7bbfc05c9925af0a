import { expect, test } from 'vitest'
import { settle } from '../../testing/clock.ts'
import { makeAuthAnswer, walletUser } from '../../testing/fixtures.ts'
import { makeWorld, watch } from '../../testing/world.ts'

// spec L3.24
test.each([true, false])(
  'a host that wants no prompts gets them where the server has no limits for it, enforced or not (%s)',
  async (enforceWalletUis) => {
    const world = await makeWorld({
      app: { enforceWalletUis },
      config: { embeddedWallets: { noPromptOnSignature: true } },
    })
    world.session.accept(makeAuthAnswer({ user: walletUser }))
    watch(world.signMessage({ message: 'Hello' }))
    await settle()
    expect(world.screen()).toBe('EMBEDDED_WALLET_SIGN_REQUEST_SCREEN')
    expect(world.wallet.log.filter((line) => line.startsWith('sign'))).toEqual([])
  },
)
