/** Puts the capabilities on a running core, and gives the shell what it draws. */
import { atom, createStore } from 'jotai/vanilla'
import { persistently } from '../../browser/loadable.ts'
import { atStart } from '../../capabilities/at-start.ts'
import type { Capability } from '../../contract/capability.ts'
import { createDialog, type Dialog } from '../../contract/dialog.ts'
import { createStage } from '../../flow/stage.ts'
import { closedView, type View } from '../../flow/view.ts'
import type { Core } from '../../shell/core.ts'
import type { RunningCore } from '../start-core.ts'

export type StartedDialog = { readonly core: Core; readonly dialog: Dialog }

export function startDialog(running: RunningCore, withSetting: readonly Capability[]): StartedDialog {
  const { standalone, host, settings, language, clock, analytics } = running
  const store = createStore()
  const viewAtom = atom<View>({ ...closedView, open: standalone, shown: standalone, standalone })
  const settingsAtom = atom(settings())
  running.onSettings((changed) => store.set(settingsAtom, changed))

  const stage = createStage({
    clock,
    host,
    analytics,
    standalone,
    loading: {
      isLoaded: (screen) => screen.isLoaded(language()),
      load: (screen) => persistently(clock, () => screen.load(language())),
    },
    setView(view) {
      const { open } = store.get(viewAtom)
      if (view.open && !open) running.deferral.hold()
      if (!view.open && open) running.deferral.release()
      store.set(viewAtom, view)
    },
  })
  const dialog = createDialog(
    {
      first: [...withSetting, ...atStart],
      withUser: async () => (await import('../../capabilities/lazy/with-user.ts')).withUser,
    },
    { ...running, stage },
  )
  loadAhead(running, dialog)
  afterStart(running, () => {
    dialog.meetPage()
    store.sub(settingsAtom, dialog.meetPage)
    void dialog.catchUp().catch(() => {})
  })
  const { back, close, skip, lose } = stage
  return {
    core: {
      store,
      viewAtom,
      settingsAtom,
      back,
      close,
      skip,
      lose,
      drawn: host.drawn,
      focused: running.deferral.release,
    },
    dialog,
  }
}

/** What a visitor or a user is likely to want next, before they want it. */
function loadAhead({ session, whenIdle }: RunningCore, dialog: Dialog) {
  const loadFor = (isUser: boolean) => whenIdle(() => void dialog.loadFor(isUser ? 'users' : 'visitors'))
  session.start().then(
    ({ status }) => loadFor(status === 'authenticated'),
    () => loadFor(false),
  )
  session.subscribe((state, before) => {
    if (before.status === 'visitor' && state.status === 'authenticated') loadFor(true)
  })
}

/** With an earlier visit, or for a visitor, once it is known what this host wants. A failure is left to the next one. */
function afterStart({ session, configured, whenIdle }: RunningCore, run: () => void) {
  Promise.all([session.start(), configured]).then(
    () => whenIdle(run),
    () => {},
  )
}
