import type { TableShape } from '../staging/shape.ts'
import type { Staging } from '../staging/staging.ts'
import type { Uploads } from '../staging/uploads/model.ts'
import { pictureAmong } from './media.ts'

const PICTURES: TableShape = { columns: { id: 'text', path: 'text', owner: 'integer' }, key: 'id' }

/** Upload folders that contain a subfolder per person or group, by kind of picture. */
const FOLDERS = [
  { kind: 'avatar', folder: 'avatars', path: /^avatars\/(\d{1,15})\/([^/]+)$/, picture: 'avatar' },
  { kind: 'group-avatar', folder: 'group-avatars', path: /^group-avatars\/(\d{1,15})\/([^/]+)$/, picture: 'avatar' },
  { kind: 'cover', folder: 'buddypress/members', path: /^buddypress\/members\/(\d{1,15})\/cover-image\/([^/]+)$/, picture: 'cover' },
  { kind: 'group-cover', folder: 'buddypress/groups', path: /^buddypress\/groups\/(\d{1,15})\/cover-image\/([^/]+)$/, picture: 'cover' },
] as const

/** Fills the table `pictures` with the pictures of people and groups. Only their upload paths tell whose they are. */
export const findPictures = async (staging: Staging, uploads: Uploads): Promise<void> => {
  const loader = staging.loader('pictures', PICTURES, Object.keys(PICTURES.columns))
  for (const { kind, folder, path: pattern, picture } of FOLDERS) {
    const owners = new Map<number, string[]>()
    for await (const path of uploads.list(folder)) {
      const owner = pattern.exec(path)?.[1]
      if (owner) owners.set(Number(owner), [...(owners.get(Number(owner)) ?? []), path])
    }
    for (const [owner, paths] of owners) {
      const byName = new Map(paths.map((path) => [path.slice(path.lastIndexOf('/') + 1), path]))
      const name = pictureAmong(picture, [...byName.keys()])
      if (name !== null) loader.add([`${kind}:${owner}`, byName.get(name) ?? '', owner], folder)
    }
  }
}

/** Makes the pictures available to queries. Call it after loading. */
export const definePictures = (staging: Staging): void => staging.define('pictures', 'pictures', PICTURES)
