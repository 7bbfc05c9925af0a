import { expect, test } from 'vitest'
import { settle } from '../../testing/clock.ts'
import { makeAuthAnswer, walletUser } from '../../testing/fixtures.ts'
import { confirmedIn, makeWorld, watch } from '../../testing/world.ts'

async function sign(app: { readonly enforceWalletUis: boolean; readonly legacyWalletUiConfig: boolean }) {
  const asked: unknown[] = []
  const world = await makeWorld({
    app,
    config: { embeddedWallets: { noPromptOnSignature: true } },
    wallet: {
      // As the server has it that lets this app sign without a screen.
      async confirm(_address, _request, asker) {
        asked.push(asker?.place)
        return confirmedIn(asker?.place === 'silent' ? 'silent' : 'frame')
      },
    },
  })
  world.session.accept(makeAuthAnswer({ user: walletUser }))
  const signed = watch(world.signMessage({ message: 'Hello' }))
  await settle()
  return { world, asked, signed }
}

const legacySetting = [false, true]

// spec L3.24
test.each(legacySetting)(
  'a host that wants no prompts gets them all the same in an app that enforces them, legacyWalletUiConfig: %j',
  async (legacyWalletUiConfig) => {
    const { world, asked, signed } = await sign({ enforceWalletUis: true, legacyWalletUiConfig })
    expect(world.screen()).toBe('EMBEDDED_WALLET_SIGN_REQUEST_SCREEN')
    expect(asked).toEqual(['frame'])
    expect(signed.settled).toBe(false)
  },
)

// spec L3.24
test.each(legacySetting)(
  'and none in one that does not, legacyWalletUiConfig: %j',
  async (legacyWalletUiConfig) => {
    const { world, asked, signed } = await sign({ enforceWalletUis: false, legacyWalletUiConfig })
    expect(world.views.filter(({ open }) => open)).toEqual([])
    expect(asked).toEqual(['silent'])
    expect(signed.value).toMatchObject({ signature: '0xsigned' })
  },
)
