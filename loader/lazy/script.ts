/**
 * The second file of the one-line form. The first pins it by its hash and waits at the element that it made, so
 * nothing is put on the page and no other script answers in its place.
 */
import { productKey } from '@latchkey/protocol'
import * as more from './second-file.ts'

document.currentScript?.dispatchEvent(new CustomEvent(productKey, { detail: more }))
