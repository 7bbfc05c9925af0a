import { type Picture, type Pictures, picturedView } from '../../contract/picture.ts'
import { Connecting, type ExportProblem, Failed, KeyShown, ToKey, type ToKeyProps } from './export-screen.tsx'
import { exportScreen } from './screens.ts'

// The button is of another origin, which has no place in the gallery: it is always just coming.
const buttonUrl = 'about:blank'
const toKey = (caption: string, step: ToKeyProps['step']): Picture => ({
  caption,
  screen: picturedView(
    exportScreen,
    ToKey,
    (press): ToKeyProps => ({
      address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
      step,
      onState: press('opened'),
      onLeave: press('leave'),
    }),
  ),
})
const failed = (caption: string, problem: ExportProblem): Picture => ({
  caption,
  screen: picturedView(exportScreen, Failed, (press) => ({ problem, onRetry: press('retry') })),
})

export const pictures: Pictures = {
  screens: [
    { caption: 'Export, connecting', screen: picturedView(exportScreen, Connecting, () => ({})) },
    toKey('Export', { at: 'asking', buttonUrl }),
    toKey('Export, in a browser inside of an app', { at: 'asking', problem: 'in-app' }),
    toKey('Export, on a page that keeps its windows apart', { at: 'asking', problem: 'cut-off' }),
    toKey('Export, in the window', { at: 'window', window: 'open', buttonUrl }),
    toKey('Export, the window may be blocked', { at: 'window', window: 'none', buttonUrl }),
    toKey('Export, the window was closed', { at: 'window', window: 'closed', buttonUrl }),
    {
      caption: 'Export, shown',
      screen: picturedView(exportScreen, KeyShown, (press) => ({ onLeave: press('leave') })),
    },
    failed('Export, canceled', 'canceled'),
    failed('Export, failed', 'failed'),
  ],
}
