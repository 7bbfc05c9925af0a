import { type Picture, type Pictures, pictured } from '../../core/picture.ts'
import type { PageState } from './page/page-screen.tsx'
import { confirmScreen, pageScreen } from './screens.ts'

const page = (caption: string, state: PageState): Picture => ({
  caption: `Confirmation page, ${caption}`,
  screen: pictured(pageScreen, state),
  standalone: true,
})
const href = '/apps/lkdemo0000000000000000001/confirm/handle'

export const pictures: Pictures = {
  screens: [
    {
      caption: 'Confirm on the page',
      screen: pictured(confirmScreen, { status: 'waiting', href, mayBeBlocked: false }),
    },
    {
      caption: 'Confirm on the page, perhaps blocked',
      screen: pictured(confirmScreen, { status: 'waiting', href, mayBeBlocked: true }),
    },
    { caption: 'Confirm, inside of an app', screen: pictured(confirmScreen, { status: 'in-app' }) },
    page('reading', { status: 'reading' }),
    page('confirmed', { status: 'approved' }),
    page('refused', { status: 'refused' }),
    page('unreachable', { status: 'unreachable' }),
    ...(['expired', 'decided', 'unknown', 'changed', 'unreadable'] as const).map((problem) =>
      page(problem, { status: 'problem', problem }),
    ),
  ],
}
