/** The wallets of other apps that the user has linked: which they are, what they do here, and how they go. */
import { type LinkedAccount, toLatchkeyError } from '@latchkey/protocol'
import { rejectedError } from '../../approval/rejection.ts'
import { done, type Flow, failed } from '../../flow/flow.ts'
import { screen } from '../../flow/screen.ts'
import { providerOf } from './connections.ts'
import { type CrossAppAccount, unlink } from './method.ts'
import type { CrossAppParts } from './parts.ts'
import { providerAppOf } from './provider/provider-app.ts'
import type { ShownWallet, WalletsState } from './screens/wallets-screen.tsx'
import { walletsScreen } from './screens.ts'

const isCrossApp = (account: LinkedAccount): account is CrossAppAccount => account.type === 'cross_app'

export const walletsFlow =
  (parts: CrossAppParts): Flow<void> =>
  (handle) => {
    const { session, connections } = parts
    let asked: ShownWallet | undefined
    let isUnlinking = false

    function accounts() {
      const state = session.state()
      return state.status === 'authenticated' ? state.user.linkedAccounts.filter(isCrossApp) : []
    }

    async function shown(): Promise<readonly ShownWallet[]> {
      // A user may unlink one whatever can be found out of it.
      const known = await connections.all(handle).catch(() => [])
      return accounts().map(({ subject, providerAppId, embeddedWallets }) => {
        const found = known.find((each) => each.providerAppId === providerAppId)
        return {
          subject,
          app: found ? providerAppOf(found) : { appId: providerAppId, name: providerAppId, iconUrl: null },
          address: embeddedWallets[0]?.address,
          use: found ? (found.readOnly ? 'readOnly' : 'signs') : 'gone',
        }
      })
    }

    function show(state: WalletsState) {
      const view = screen(walletsScreen, state, {
        ask,
        unlink: () => void unlinkIt(),
        keep: () => void list(),
      })
      if (handle.isAt(walletsScreen)) handle.update(view)
      else handle.go(view)
    }
    async function list() {
      asked = undefined
      const wallets = await shown()
      if (!asked) show({ status: 'list', wallets })
    }
    function ask(wallet: ShownWallet) {
      asked = wallet
      show({ status: 'question', wallet, isUnlinking: false, problem: undefined })
    }
    async function unlinkIt() {
      const wallet = asked
      if (!wallet || isUnlinking) return
      isUnlinking = true
      show({ status: 'question', wallet, isUnlinking, problem: undefined })
      try {
        const user = await unlink(parts, providerOf(wallet.app.appId), wallet.subject, handle)
        session.replaceUser(user)
        isUnlinking = false
        await list()
      } catch (error) {
        isUnlinking = false
        const { code } = toLatchkeyError(error, 'failed_to_link_account', 'The account could not be unlinked')
        const problem = code === 'cannot_unlink_sole_account' ? 'sole' : 'failed'
        if (!handle.signal.aborted) show({ status: 'question', wallet, isUnlinking, problem })
      }
    }
    return {
      kind: 'link',
      run: list,
      onClose: () => failed(rejectedError()),
      onBack: () => done(undefined),
    }
  }
