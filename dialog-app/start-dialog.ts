/** Puts the capabilities on a running core, and gives the face what it draws. */
import { capabilities } from './capabilities/index.ts'
import { createDialog, type Dialog } from './core/dialog.ts'
import { persistently } from './core/loadable.ts'
import { createStage } from './core/stage.ts'
import { type Core, closedView } from './core/view.ts'
import { createWatched } from './core/watched.ts'
import { languageOf } from './i18n/languages.ts'
import type { RunningCore } from './start-core.ts'

export type StartedDialog = { readonly core: Core; readonly dialog: Dialog }

export function startDialog(running: RunningCore): StartedDialog {
  const { standalone, host, settings, clock, analytics } = running
  const view = createWatched({ ...closedView, open: standalone, standalone })
  const watchedSettings = createWatched(settings())
  running.onSettings(watchedSettings.set)
  const language = () => languageOf(settings().config.intl?.locale)

  const stage = createStage({
    clock,
    host,
    analytics,
    standalone,
    loading: {
      isLoaded: (screen) => screen.isLoaded(language()),
      load: (screen) => persistently(clock, () => screen.load(language())),
    },
    setView(next) {
      const { open } = view.get()
      if (next.open && !open) running.holdAnalytics()
      if (!next.open && open) running.releaseAnalytics()
      view.set(next)
    },
  })
  const dialog = createDialog(capabilities, { ...running, stage, language })
  loadAhead(running, dialog)
  const { back, close, skip, lose } = stage
  return {
    core: { view, settings: watchedSettings, back, close, skip, lose, drawn: running.releaseAnalytics },
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
