import type { ComponentProps } from 'react'
import { type EntryPicture, type Pictures, picturedEntry } from '../../contract/picture.ts'
import { emptyPhone, parseInput } from '../../ui/fields/phone/phone-value.ts'
import { PhoneEntryView } from './phone-entry.tsx'
import { texts } from './texts.arb'

type Props = ComponentProps<typeof PhoneEntryView>
const initial = parseInput(emptyPhone('US'), '2025550123')

const entry = (state: Partial<Props>): EntryPicture['entry'] =>
  picturedEntry(
    texts,
    PhoneEntryView,
    (press, send): Props => ({
      status: 'ready',
      sendTo: send('submit'),
      cancel: press('cancel'),
      country: undefined,
      isHidden: false,
      ...state,
    }),
  )

export const pictures: Pictures = {
  entries: [
    { caption: 'phone', entry: entry({}) },
    { caption: 'phone typed', entry: entry({ initial }) },
    { caption: 'phone, sending', entry: entry({ initial, status: 'sending' }) },
    { caption: 'phone, offline', entry: entry({ initial, status: 'offline' }) },
    {
      caption: 'phone, inputs hidden',
      entry: entry({ isHidden: true }),
      config: { appearance: { hideDirectWeb2Inputs: true } },
    },
  ],
}
