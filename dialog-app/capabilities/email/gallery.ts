import { type ComponentProps, createElement } from 'react'
import { type EntryPicture, type Pictures, picturedEntry } from '../../contract/picture.ts'
import { EmailEntryView } from './email-entry.tsx'
import { HiddenEntry } from './lazy/hidden-entry.tsx'
import { texts } from './texts.arb'

type Props = ComponentProps<typeof EmailEntryView>
const address = 'mira@fieldnotes.example'

const HiddenView = (props: Props) => HiddenEntry({ children: createElement(EmailEntryView, props) })

const entry = (state: Partial<Props>, View = EmailEntryView): EntryPicture['entry'] =>
  picturedEntry(
    texts,
    View,
    (press, send): Props => ({
      status: 'ready',
      sendTo: send('submit'),
      forget: press('forget'),
      cancel: press('cancel'),
      ...state,
    }),
  )

export const pictures: Pictures = {
  entries: [
    { entry: entry({}) },
    { caption: 'address typed', entry: entry({ initial: address }) },
    { caption: 'address remembered', entry: entry({ remembered: address }) },
    { caption: 'sending', entry: entry({ initial: address, status: 'sending' }) },
    { caption: 'offline', entry: entry({ initial: address, status: 'offline' }) },
    {
      caption: 'inputs hidden',
      entry: entry({ focused: true }, HiddenView),
      config: { appearance: { hideDirectWeb2Inputs: true } },
    },
  ],
}
