import { type Pictures, picturedPart } from '../../contract/picture.ts'
import { emailEntry, hiddenEmailEntry } from './screens.ts'

const address = 'mira@fieldnotes.example'
export const pictures: Pictures = {
  entries: [
    { entry: picturedPart(emailEntry, { status: 'ready', address: '' }) },
    { caption: 'address typed', entry: picturedPart(emailEntry, { status: 'ready', address }) },
    {
      caption: 'address remembered',
      entry: picturedPart(emailEntry, { status: 'ready', address, remembered: address }),
    },
    { caption: 'sending', entry: picturedPart(emailEntry, { status: 'sending', address }) },
    { caption: 'offline', entry: picturedPart(emailEntry, { status: 'offline', address }) },
    {
      caption: 'inputs hidden',
      entry: picturedPart(hiddenEmailEntry, { status: 'ready', address: '' }),
      config: { appearance: { hideDirectWeb2Inputs: true } },
    },
  ],
}
