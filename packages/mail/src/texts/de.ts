import { masked, spokenName } from './names.ts'
import type { NoticeFacts, NoticeReason, Report, Revoked, Texts } from './shape.ts'

const counted = (count: number, one: string, several: string): string => `${count} ${count === 1 ? one : several}`
const quoted = (text: string): string => (text ? ` „${text}“` : '')

const duration = (minutes: number) =>
  minutes % 60 === 0 ? counted(minutes / 60, 'Stunde', 'Stunden') : counted(minutes, 'Minute', 'Minuten')

/** What was revoked, as a paragraph; none if nothing was. */
const revokedSentence = ({ sessions, application_passwords, exports }: Revoked): string[] => {
  const parts = [
    counted(sessions, 'Sitzung', 'Sitzungen'),
    counted(application_passwords, 'Anwendungspasswort', 'Anwendungspasswörter'),
    counted(exports, 'Datenexport', 'Datenexporte'),
  ].filter((part) => !part.startsWith('0 '))
  return parts.length === 0 ? [] : [`Außerdem widerrufen: ${parts.join(', ')}.`]
}

const accountFooter: Texts['accountFooter'] = ({ community, username }) =>
  `Du bekommst diese E-Mail wegen deines Kontos „${username}“ bei ${community}.`

/** The name of an application password, unless it could become a link or is a longer text. */
const nameOf = (name: string) => (spokenName(name) ? ` mit dem Namen „${spokenName(name)}“` : '')

const accountMails: Texts['accountMails'] = {
  resetPassword: (to) => ({
    subject: `Passwort für ${to.community} zurücksetzen`,
    title: 'Passwort zurücksetzen',
    intro: [
      `Für das Konto „${to.username}“ wurde ein neues Passwort angefordert. Der Link unten funktioniert einmal, innerhalb von ${duration(to.validMinutes)}.`,
      'Wenn du das nicht angefordert hast, ignoriere diese E-Mail. Dein Passwort bleibt unverändert.',
    ],
    button: 'Neues Passwort wählen',
  }),
  verifyEmail: (to) => ({
    subject: `Bestätige deine E-Mail-Adresse für ${to.community}`,
    title: 'Bestätige deine E-Mail-Adresse',
    intro: [
      `Das Konto „${to.username}“ wurde mit dieser E-Mail-Adresse registriert. Der Link unten funktioniert einmal, innerhalb von ${to.validHours} Stunden.`,
      'Wenn du dich nicht registriert hast, ignoriere diese E-Mail. Das Konto wird automatisch entfernt.',
    ],
    button: 'E-Mail-Adresse bestätigen',
  }),
  approvalRequested: (to) => ({
    subject: `Neue Registrierung bei ${to.community}`,
    title: 'Neue Registrierung',
    intro: [`Das Konto „${to.applicant}“ wurde registriert und wartet auf deine Freigabe.`],
    button: 'Registrierung prüfen',
  }),
  webhookDisabled: (to) => ({
    subject: `Ein Webhook von ${to.community} wurde ausgeschaltet`,
    title: 'Ein Webhook wurde ausgeschaltet',
    intro: [
      `Seit drei Tagen ist jede Zustellung an den Webhook „${to.webhook}“ fehlgeschlagen. Sieh dir die Zustellungen an und schalte ihn wieder ein, wenn das Problem behoben ist.`,
    ],
    button: 'Webhooks ansehen',
  }),
  rejected: (to) => ({
    subject: `Deine Registrierung bei ${to.community}`,
    title: 'Deine Registrierung wurde nicht freigegeben',
    intro: [`Das Konto „${to.username}“ wurde nicht freigegeben und mit den eingegebenen Daten entfernt.`],
    more: [to.reason].filter(Boolean),
    footer: `Du bekommst diese E-Mail, weil diese Adresse bei ${to.community} registriert wurde.`,
  }),
  welcome: (to) => ({
    subject: `Willkommen bei ${to.community}`,
    title: `Willkommen bei ${to.community}`,
    intro: [
      to.approved
        ? `Dein Konto „${to.username}“ wurde freigegeben. Du kannst dich jetzt anmelden.`
        : `Dein Konto „${to.username}“ ist bereit.`,
      'Sieh dir die Räume an, folge anderen Mitgliedern und stell dich vor.',
    ],
    button: `${to.community} öffnen`,
    footer: `${accountFooter(to)} Wenn du dich nicht registriert hast, ignoriere diese E-Mail.`,
  }),
  accountDeleted: (to) => ({
    subject: `Dein Konto bei ${to.community} wurde gelöscht`,
    title: 'Dein Konto wurde gelöscht',
    intro: [
      `Das Konto „${to.username}“ wurde ${to.byAdmin ? 'von der Administration' : 'auf deinen Wunsch'} gelöscht. Es kann nicht mehr verwendet werden, und deine Daten werden entfernt.`,
      to.content === 'remove'
        ? 'Auch deine Beiträge und Kommentare werden entfernt.'
        : 'Deine Beiträge und Kommentare bleiben ohne deinen Namen, als die eines gelöschten Mitglieds.',
      'Kopien in Sicherungen der Community verschwinden, wenn die Sicherungen ersetzt werden. Das ist die letzte E-Mail an diese Adresse.',
    ],
  }),
  exportReady: (to) => ({
    subject: `Deine Daten von ${to.community} sind bereit`,
    title: 'Deine Daten sind bereit',
    intro: [
      `Der Datenexport des Kontos „${to.username}“ ist bereit. Nur du kannst ihn herunterladen, innerhalb von ${to.validDays} Tagen. Dafür musst du dich anmelden.`,
      'Wenn weder du noch die Administration ihn angefordert hat, kennt vielleicht jemand anderes dein Passwort. Ändere es und prüfe deine Anwendungspasswörter.',
    ],
    button: 'Datenexport herunterladen',
  }),
  passwordChanged: (to) => ({
    subject: `Dein Passwort für ${to.community} wurde geändert`,
    title: 'Dein Passwort wurde geändert',
    intro: [
      `Das Passwort des Kontos „${to.username}“ wurde geändert.`,
      'Wenn du es geändert hast, ignoriere diese E-Mail. Setze es sonst sofort zurück und prüfe deine Anwendungspasswörter.',
    ],
    more: to.revoked ? revokedSentence(to.revoked) : [],
    button: 'Passwort zurücksetzen',
  }),
  applicationPassword: (to) => ({
    subject: `Ein neues Anwendungspasswort für ${to.community}`,
    title: 'Ein neues Anwendungspasswort',
    intro: [
      `Für das Konto „${to.username}“ wurde am ${to.at} UTC ein Anwendungspasswort${nameOf(to.name)} erstellt, ${
        to.from === null ? 'vom Betreiber des Servers' : `von der IP-Adresse ${to.from}`
      }. Eine Anwendung mit diesem Passwort kann in deinem Namen handeln.`,
      'Wenn du es nicht erstellt hast, widerrufe es sofort in deinen Anmeldeeinstellungen und ändere dein Passwort. Das widerruft alle Anwendungspasswörter.',
    ],
    button: 'Anwendungspasswörter ansehen',
  }),
  newAddress: (to) => ({
    subject: `Bestätige deine neue E-Mail-Adresse für ${to.community}`,
    title: 'Bestätige deine neue E-Mail-Adresse',
    intro: [
      `Das Konto „${to.username}“ soll diese E-Mail-Adresse bekommen. Der Link unten funktioniert einmal, innerhalb von ${to.validHours} Stunden. Die Adresse ändert sich, wenn du ihn öffnest.`,
      'Wenn das nicht dein Konto ist, ignoriere diese E-Mail und öffne den Link nicht.',
    ],
    button: 'E-Mail-Adresse bestätigen',
  }),
  emailChanged: (to) => ({
    subject: `Deine E-Mail-Adresse für ${to.community} wurde geändert`,
    title: 'Deine E-Mail-Adresse wurde geändert',
    intro: [
      `Das Konto „${to.username}“ hat jetzt die Adresse ${masked(to.newEmail)}. An diese hier werden keine E-Mails mehr geschickt.`,
      to.validDays === undefined
        ? 'Wenn du sie nicht geändert hast, wende dich sofort an die Administration der Community: Vielleicht kennt jemand anderes dein Passwort.'
        : 'Wenn du sie nicht geändert hast, mache die Änderung rückgängig: Vielleicht kennt jemand anderes dein Passwort.',
    ],
    more:
      to.validDays === undefined
        ? []
        : [
            `Der Link unten funktioniert ${to.validDays} Tage. Er stellt diese Adresse wieder her, beendet alle Sitzungen, widerruft alle Anwendungspasswörter und lässt dich ein neues Passwort wählen.`,
          ],
    button: to.validDays === undefined ? `${to.community} öffnen` : 'Änderung rückgängig machen',
  }),
  knownAddress: (to) => ({
    subject: `Du hast schon ein Konto bei ${to.community}`,
    title: 'Du hast schon ein Konto',
    intro: [
      `Diese E-Mail-Adresse wurde für ein weiteres Konto bei ${to.community} angegeben, gehört aber schon zum Konto „${to.username}“. Melde dich mit diesem Konto an, oder wähle ein neues Passwort, wenn du es vergessen hast.`,
      'Wenn du das nicht warst, ignoriere diese E-Mail.',
    ],
    button: 'Neues Passwort wählen',
  }),
  postDue: (to) => ({
    subject: `Zeit, deinen Beitrag bei ${to.community} zu veröffentlichen`,
    title: 'Dein Beitrag ist fällig',
    intro: [
      to.post ? `Du wolltest „${to.post}“ am ${to.at} UTC veröffentlichen.` : `Du wolltest einen Beitrag am ${to.at} UTC veröffentlichen.`,
      'Wie gewünscht erscheint er nicht von selbst: Veröffentliche ihn, wenn du so weit bist, oder gib ihm eine andere Zeit.',
    ],
    button: `${to.community} öffnen`,
  }),
}

const REPORTED: Readonly<Record<Report['object_type'], string>> = {
  feed: 'Ein Beitrag wurde gemeldet',
  comment: 'Ein Kommentar wurde gemeldet',
  user: 'Eine Person wurde gemeldet',
}
const REPORT_REASONS: Readonly<Record<string, string>> = {
  spam: 'Spam',
  harassment: 'Belästigung',
  hate_speech: 'Hassrede',
  inappropriate: 'unangemessen',
  misinformation: 'Falschinformation',
  violence: 'Gewalt',
  other: 'anderes',
}

const TITLES: Readonly<Record<NoticeFacts['type'], (who: string, facts: NoticeFacts) => string>> = {
  new_comment: (who, { feed }) => `${who} deinen Beitrag${quoted(feed)} kommentiert`,
  new_reply: (who, { feed }) => `${who} auf deinen Kommentar${feed && ` zu${quoted(feed)}`} geantwortet`,
  new_reaction: (who, { of, feed, comment }) =>
    `${who} auf deinen ${of === 'comment' ? `Kommentar${quoted(comment)}` : `Beitrag${quoted(feed)}`} reagiert`,
  mention: (who, { of, feed, everyone }) => {
    const post = feed ? `im Beitrag${quoted(feed)}` : 'in einem Beitrag'
    const place = of === 'comment' ? `in einem Kommentar${feed && ` zu${quoted(feed)}`}` : post
    return everyone ? `${who} ${place} alle erwähnt` : `${who} dich ${place} erwähnt`
  },
  new_follower: (_, { name, pending }) => (pending ? `${name} möchte dir folgen` : `${name} folgt dir jetzt`),
  space_invite: (who, { place }) => `${who} dich zum Raum${quoted(place)} hinzugefügt`,
  space_join: (_, { name, place, pending }) =>
    `${name} ${pending ? 'möchte' : 'ist'} dem Raum${quoted(place)} ${pending ? 'beitreten' : 'beigetreten'}`,
  course_enrollment: (who, { place }) => `${who} sich in deinen Kurs${quoted(place)} eingeschrieben`,
  lesson_complete: (who, { place }) => `${who} eine Lektion deines Kurses${quoted(place)} abgeschlossen`,
  moderation: () => 'Eine Nachricht der Moderation',
}

/** “Ana hat”, “Ana und 4 weitere haben”. */
const whoHas = ({ name, count }: NoticeFacts): string => {
  if (count <= 1) return `${name} hat`
  if (count === 2) return `${name} und eine weitere Person haben`
  return `${name} und ${count >= 100 ? 'mehr als 99' : count - 1} weitere haben`
}

const REASONS: Readonly<Record<NoticeReason, (community: string) => string>> = {
  new_comment: (community) => `jemand bei ${community} auf deinen Text geantwortet hat`,
  new_reaction: (community) => `jemand bei ${community} auf deinen Text reagiert hat`,
  new_follower: (community) => `jemand dir bei ${community} folgt oder folgen möchte`,
  mention: (community) => `jemand dich bei ${community} erwähnt hat`,
  space_invite: (community) => `jemand dich bei ${community} in einen Raum aufgenommen hat`,
  always: (community) => `es um dein Konto bei ${community} geht`,
}

export const de: Texts = {
  greeting: (name) => (name ? `Hallo ${name},` : 'Hallo,'),
  orOpen: 'Oder öffne diese Adresse:',
  open: (community) => `${community} öffnen`,
  accountFooter,
  accountMails,
  test: {
    subject: (community) => `Test-E-Mail von ${community}`,
    title: 'Der E-Mail-Versand funktioniert',
    paragraphs: (community, sentAt) => [
      `Das ist eine Test-E-Mail von ${community}, gesendet am ${sentAt} UTC.`,
      'Prüfe, ob sie im Posteingang und nicht im Spam-Ordner liegt und ob der Absender stimmt.',
    ],
    footer: 'Sie wurde mit „lyceum mail test“ von jemandem mit Zugang zum Server gesendet.',
  },
  report: {
    title: ({ object_type, reason }) => `${REPORTED[object_type]}: ${REPORT_REASONS[reason] ?? reason}`,
    text: 'Jemand hat der Moderation etwas gemeldet. Es wartet auf eine Entscheidung.',
    button: 'Meldung ansehen',
    footer: (community) => `Du bekommst diese E-Mail, weil du bei ${community} Meldungen bearbeitest.`,
  },
  notices: {
    settings: 'Benachrichtigungseinstellungen',
    unsubscribe: 'Abbestellen',
    title: (facts) => TITLES[facts.type](whoHas(facts), facts),
    buttons: {
      new_comment: 'Kommentar lesen',
      new_reply: 'Antwort lesen',
      new_reaction: 'Beitrag öffnen',
      new_follower: 'Profil ansehen',
      mention: 'Ansehen',
      space_invite: 'Raum besuchen',
      space_join: 'Öffnen',
      course_enrollment: 'Öffnen',
      lesson_complete: 'Öffnen',
      moderation: 'Öffnen',
    },
    footer: (reason, community) => `Du bekommst diese E-Mail, weil ${REASONS[reason](community)}.`,
  },
  digest: {
    locale: 'de',
    title: (daily, community) => `${daily ? 'Dein Tag' : 'Deine Woche'} bei ${community}`,
    intro: (greeting, news) => `${greeting} das hast du vielleicht verpasst: ${news}.`,
    footer: (daily, community) =>
      `Du bekommst diese E-Mail ${daily ? 'jeden Morgen' : 'montags'}, wenn es bei ${community} etwas zu berichten gibt.`,
    forYou: 'Für dich',
    popular: 'Beliebte Beiträge',
    inSpaces: 'Neu in deinen Räumen',
    authorIn: (author, space) => `${author} in ${space}`,
    more: (count) => `… und ${count} weitere`,
    unread: (count) => counted(count, 'ungelesene Benachrichtigung', 'ungelesene Benachrichtigungen'),
    popularPosts: (count) => counted(count, 'beliebter Beitrag', 'beliebte Beiträge'),
    newsInSpaces: (count) => `Neues in ${counted(count, 'Raum', 'Räumen')}`,
    newPosts: (count) => counted(count, 'neuer Beitrag', 'neue Beiträge'),
    reactions: (count) => counted(count, 'Reaktion', 'Reaktionen'),
    comments: (count) => counted(count, 'Kommentar', 'Kommentare'),
  },
}
