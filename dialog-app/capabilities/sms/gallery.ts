import { type Pictures, picturedPart } from '../../contract/picture.ts'
import { emptyPhone, parseInput } from '../../ui/fields/phone/phone-value.ts'
import { phoneEntry } from './screens.ts'

const ready = { status: 'ready', given: undefined, country: undefined, isHidden: false } as const
const parsedPhone = parseInput(emptyPhone('US'), '2025550123')

export const pictures: Pictures = {
  entries: [
    { caption: 'phone', entry: picturedPart(phoneEntry, ready) },
    { caption: 'phone typed', entry: picturedPart(phoneEntry, { ...ready, given: parsedPhone }) },
    {
      caption: 'phone, sending',
      entry: picturedPart(phoneEntry, { ...ready, given: parsedPhone, status: 'sending' }),
    },
    {
      caption: 'phone, offline',
      entry: picturedPart(phoneEntry, { ...ready, given: parsedPhone, status: 'offline' }),
    },
    {
      caption: 'phone, inputs hidden',
      entry: picturedPart(phoneEntry, { ...ready, isHidden: true }),
      config: { appearance: { hideDirectWeb2Inputs: true } },
    },
  ],
}
