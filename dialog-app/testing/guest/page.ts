import { pictures as landing } from '../../capabilities/landing/gallery.ts'
import { allPictures } from '../../core/picture.ts'
import { startFace } from '../../face/testing/face-handle.ts'
import { pictures as guest } from './gallery.ts'

await startFace(allPictures([landing, guest]), new URLSearchParams(location.search).get('locale') ?? 'en')
