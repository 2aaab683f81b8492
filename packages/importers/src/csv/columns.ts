/** Fields that columns of a member list can contain. */
export const FIELDS = [
  'email',
  'username',
  'name',
  'first_name',
  'last_name',
  'joined',
  'seen',
  'bio',
  'headline',
  'location',
  'city',
  'country',
  'website',
  'avatar',
  'role',
  'status',
  'spaces',
  'points',
] as const
export type Field = (typeof FIELDS)[number]

/** Social networks by normalized header. */
export const NETWORKS: Readonly<Record<string, string>> = {
  twitter: 'twitter',
  x: 'twitter',
  facebook: 'fb',
  linkedin: 'linkedin',
  instagram: 'instagram',
  youtube: 'youtube',
  tiktok: 'tiktok',
  github: 'github',
}

/** Normalized headers of each field: lowercase letters and digits only. */
const HEADERS: Readonly<Record<Field, string>> = {
  email: 'email emailaddress mail memberemail useremail primaryemail accountemail contactemail',
  username: 'username handle userhandle nickname login',
  name: 'name fullname displayname membername profilename',
  first_name: 'firstname givenname forename fname memberfirstname',
  last_name: 'lastname surname familyname lname memberlastname',
  joined:
    'joined joineddate joindate datejoined joinedat joinedon dateofjoining memberjoined membersince joinedcommunity createdat created creationdate datecreated signupdate signedup signedupat registered registeredat registrationdate memberjoindate approvedat',
  seen: 'lastseen lastseenat lastactive lastactiveat lastactivity lastactivityat lastvisit lastvisited lastlogin lastloginat lastsignin lastsignedin lastonline',
  bio: 'bio biography about aboutme shortbio profilebio memberbio description',
  headline: 'headline tagline title introduction personalheadline',
  location: 'location place region',
  city: 'city town',
  country: 'country countryname',
  website: 'website websiteurl url homepage site personalwebsite personallink',
  avatar:
    'avatar avatarurl picture pictureurl photo photourl profilephoto profilephotourl profilepicture profileimage profileimageurl image imageurl',
  role: 'role roles memberrole membertype usertype accesslevel accesstype',
  status: 'status memberstatus membershipstatus accountstatus userstatus',
  spaces: 'spaces spacenames memberspaces spacesjoined joinedspaces groups spacemembership',
  points: 'points totalpoints score',
}

const FIELD_OF = new Map(FIELDS.flatMap((field) => HEADERS[field].split(' ').map((header): [string, Field] => [header, field])))

const NETWORK = /^(twitter|x|facebook|linkedin|instagram|youtube|tiktok|github)(?:url|link|profile|handle|username)*$/

const bare = (header: string) =>
  header
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

export interface Columns {
  /** Column index of each field. */
  readonly fields: ReadonlyMap<Field, number>
  /** Column index of each network. */
  readonly networks: ReadonlyMap<string, number>
  /** Unrecognized headers by column index. */
  readonly unknown: ReadonlyMap<number, string>
}

/** Recognizes headers. If several columns match a field, the first one is used. */
export const columnsOf = (headers: readonly string[]): Columns => {
  const fields = new Map<Field, number>()
  const networks = new Map<string, number>()
  const unknown = new Map<number, string>()
  for (const [at, header] of headers.entries()) {
    const name = bare(header)
    const field = FIELD_OF.get(name)
    const network = NETWORKS[NETWORK.exec(name)?.[1] ?? '']
    if (field !== undefined && !fields.has(field)) fields.set(field, at)
    else if (network !== undefined && !networks.has(network)) networks.set(network, at)
    else if (name !== '') unknown.set(at, header.trim())
  }
  return { fields, networks, unknown }
}
