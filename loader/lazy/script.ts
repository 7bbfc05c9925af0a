/**
 * The second file of the one-line form. The first pins it by its hash and waits at the element that it made, so
 * nothing is put on the page and no other script answers in its place.
 */
import { productKey } from '@latchkey/protocol'
import type { SecondFile } from '../client/second-file.ts'
import * as secondFile from './second-file.ts'

document.currentScript?.dispatchEvent(
  new CustomEvent(productKey, { detail: secondFile satisfies SecondFile }),
)
