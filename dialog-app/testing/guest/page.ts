import { pictures as landing } from '../../capabilities/landing/gallery.ts'
import { allPictures } from '../../contract/picture.ts'
import { startFace } from '../../shell/testing/face-handle.ts'
import { pictures as guest } from './gallery.ts'

await startFace(allPictures([landing, guest]), new URLSearchParams(location.search).get('locale') ?? 'en')
