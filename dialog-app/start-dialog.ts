/** Puts the flows on a running core, and gives the face what it renders. */
import { atom, createStore } from 'jotai/vanilla'
import type { Core, View } from './core.ts'
import { createDialog, type Dialog } from './flows/dialog.ts'
import { createStage } from './flows/stage.ts'
import { runStandalone } from './flows/standalone.ts'
import { createWalletCreation } from './flows/wallet-create.ts'
import type { RunningCore } from './start-core.ts'

export type StartedDialog = { readonly core: Core; readonly dialog: Dialog }

export function startDialog(running: RunningCore): StartedDialog {
  const { standalone, host, session, settings, clock, analytics } = running
  const store = createStore()
  const viewAtom = atom<View>({
    open: standalone,
    screen: undefined,
    step: 0,
    direction: 'forward',
    header: { back: false, info: false, close: false },
    standalone,
  })
  const settingsAtom = atom(settings())
  running.onSettings((changed) => store.set(settingsAtom, changed))

  const stage = createStage({
    clock,
    host,
    analytics,
    standalone,
    setView: (view) => store.set(viewAtom, view),
  })
  const dialog = createDialog({ ...running, stage, createUserWallet: createWalletCreation(running) })
  if (standalone) runStandalone({ session, dialog, stage })
  return { core: { store, viewAtom, settingsAtom, send: dialog.send }, dialog }
}
