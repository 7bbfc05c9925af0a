/** Connects the capabilities to the running core and the shell. */
import { createStore } from 'jotai/vanilla'
import { loadWithRetries } from '../../browser/loadable.ts'
import { atStart } from '../../capabilities/at-start.ts'
import type { Capability } from '../../contract/capability.ts'
import { createDialog, type Dialog } from '../../contract/dialog.ts'
import { createStage } from '../../flow/stage.ts'
import { closedView } from '../../flow/view.ts'
import { settingsAtom, viewAtom, viewportAtom } from '../../shell/atoms.ts'
import type { Core } from '../../shell/core.ts'
import type { RunningCore } from '../start-core.ts'

export type StartedDialog = {
  core: Core
  dialog: Dialog
  isOpen: () => boolean
  /** Runs when the view changes. */
  watch: (run: () => void) => void
}

export function startDialog(running: RunningCore, withSetting: readonly Capability[]): StartedDialog {
  const { standalone, host, settings, language, clock, analytics } = running
  const store = createStore()
  store.set(viewAtom, { ...closedView, open: standalone, shown: standalone, standalone })
  store.set(settingsAtom, settings())
  running.onSettings((changed) => store.set(settingsAtom, changed))
  store.set(viewportAtom, running.viewport())
  running.onViewport((changed) => store.set(viewportAtom, changed))

  const stage = createStage({
    clock,
    host,
    analytics,
    standalone,
    loading: {
      isLoaded: (screen) => screen.isLoaded(language()),
      load: (screen) => loadWithRetries(clock, () => screen.load(language())),
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
      back,
      close,
      skip,
      lose,
      drawn: host.drawn,
      focused: running.deferral.release,
    },
    dialog,
    isOpen: () => store.get(viewAtom).open,
    watch: (run) => void store.sub(viewAtom, run),
  }
}

/** Preloads the code that a visitor or user is likely to need next. */
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

/**
 * Runs for visitors and returning users once the host page's settings are known. The next caller retries after a
 * failure.
 */
function afterStart({ session, configured, whenIdle }: RunningCore, run: () => void) {
  Promise.all([session.start(), configured]).then(
    () => whenIdle(run),
    () => {},
  )
}
