import type { Topic } from '../../types.ts'
import { lines, words } from '../../words.ts'
import { opensourceCode } from './opensource-code.ts'

export const opensource: Topic = {
  key: 'opensource',
  language: 'en',
  virtual: true,
  code: opensourceCode,
  lists: {
    field: ['maintaining a project'],
    thing: words(
      `first contributions, maintainer burn-out, issue triage, licences, release notes, semantic versioning, code review, documentation, self-hosting, reproducible builds, security reports, forks, governance, translations, funding, continuous integration, packaging, backwards compatibility`,
    ),
    gear: words(
      `issue template, changelog, CI pipeline, contributor guide, test matrix, roadmap, bot, container image, licence header, release script, mailing list, style guide, home server, backup script`,
    ),
    problem: words(
      `stale issues, drive-by pull requests, breaking changes, bus factor one, flaky CI, angry users, dependency updates, licence confusion, silent forks, spam pull requests, missing docs, endless bikeshedding, an abandoned dependency`,
    ),
    doing: words(
      `triaging on Mondays, writing release notes, mentoring newcomers, answering issues, deleting code, pinning dependencies, reviewing translations, testing release candidates, documenting decisions, self-hosting mail, running a bug day`,
    ),
    did: words(
      `got my first patch merged, released 1.0 after six years, handed over my project, closed two hundred stale issues, moved everything to my own server, wrote the docs I always missed, fixed a bug from 2011, found a co-maintainer, cut a release from a train, translated the whole interface, set up a mirror, said no to a feature politely`,
    ),
    where: words(
      `in a small library, as the only maintainer, at work, in a project with thousands of users, on a home server, in a volunteer team, with two hours a week, in a foundation, behind a slow connection, across ten time zones`,
    ),
    goal: words(
      `find a first issue, say no to features kindly, keep a changelog, get paid for maintenance, hand over a project, choose a licence, run a bug day, keep CI green, self-host without losing sleep, write docs people read, welcome newcomers, deprecate an API gently`,
    ),
    tongue: words('German, Spanish, French, Japanese, Polish, Arabic, Hindi'),
    project: words(
      `a static site generator, a calendar server, a music player, a feed reader, a terminal file manager, a map renderer, a note-taking app, a chess engine, a PDF library, an image viewer, a backup tool, a CSV toolkit`,
    ),
  },
  cases: [
    {
      titles: lines(`
        How do I find a first issue to work on?
        Afraid of my first pull request
        First contribution: where do I start?`),
      story: lines(`
        I have programmed for {span} and use open source every day. Now I would like to give something back. I looked at {project}: {k=80-900} open issues, {4-20} labelled “good first issue”, all taken since {2019-2024}.
        I fixed a small bug in {project}, locally. The pull request has been ready for {2-9} weeks, and I do not dare to press the button.`),
      ask: lines(`
        How did you start?
        Is it rude to ask before I begin?`),
      answers: lines(`
        Press the button! The worst that happens is a no with an explanation.
        Fix what annoyed you this week. You are the best tester of that one thing.
        Documentation. Follow the install guide on a fresh machine, write down each step that fails.
        Asking first is polite and saves everyone time. “I would like to work on this, is that fine?”
        Maintainer here: a small patch with a test is the best present there is.
        Reproduce old issues. Of {k=80-900} a third will be fixed long since. Saying so is a contribution.`),
    },
    {
      titles: lines(`
        I maintain {project} and I am tired
        {k=50-600} open issues, one maintainer
        How do you say “I need a break”?`),
      story: lines(`
        I have maintained {project} for {span}, {where}. It has some {2-90},000 users, {k=50-600} open issues, and me. {Time*} somebody wrote “is this project dead?” under a bug that I had answered within a day.
        What began as fun is a second job: {k=50-600} issues, {3-20} e-mails a day, no pay.`),
      ask: lines(`
        How do you hand over without abandoning people?
        Which boundaries work?`),
      answers: lines(`
        Write it into the README: maintained, slowly. People are kinder than you think when they know.
        Give commit rights to the two who send the best patches. Ask them, most are flattered.
        Close everything older than a year with a friendly note. What matters comes back.
        You owe them nothing but honesty. The licence says so in capital letters.
        Turn off notifications, and triage once a week for an hour. It changed my life.
        Companies that depend on it should pay. Put a price on priority and mean it.`),
    },
    {
      titles: lines(`
        Which licence for {project}?
        Copyleft or permissive?
        A company uses my code – and now?`),
      story: lines(`
        I am about to publish {project}. I would like people to use it, and I would like [improvements to come back|companies not to close it off].
        A company has built its product on my library, without a word. The licence allows that. I [feel silly|am of two minds].`),
      ask: lines(`
        What did you choose, and do you regret it?
        Can I still change it?`),
      answers: lines(`
        Ask what would hurt more: nobody uses it, or somebody uses it without giving back. Then you know.
        Apache 2.0 for libraries, AGPL for servers. Covers nearly everything for me.
        You can change it for new versions as long as you are the only author, or everyone agrees.
        They used it as allowed. Write them a friendly mail, ours turned into a sponsor.
        Please, no home-made licence. No one’s lawyer will touch it.`),
    },
    {
      titles: lines(`
        Self-hosting {project}: worth the trouble?
        Backups for a home server with {k=2-16} TB
        How do you self-host without being on call?`),
      story: lines(`
        I run {k=2-16} TB of family photos, {project} and a few more things on a [small box|retired laptop] under the stairs. It works. What I do not have: a plan for when it does not.
        Family and friends rely on my server by now ({5-20} people), and {time*} the disk made a new sound.`),
      ask: lines(`
        How do you do backups and updates?
        What would you rather pay for?`),
      answers: lines(`
        3-2-1, and test the restore twice a year, with a date in the calendar. An untested backup is a wish.
        Mail I would never host again. Everything else yes.
        One page of paper in a drawer: what runs where, how to get the data out. For your family.
        Boring file system, boring distribution, automatic security updates. Then you may go on holiday.
        For {k=2-16} TB: a disk at {buddy*}’s place, encrypted, synced at night.
        Tell your users that it may be down for a day. They are friends, they will live.`),
    },
  ],
  shows: lines(`
    {1-40} lines of diff, {2-30} comments of review, and I learnt more than in a year at work.
    {40-900} commits by {6-80} people, of whom I have met three.
    The changelog has {20-140} entries, two of them breaking, both with a migration note.
    The bug had been there for {6-14} years. The fix is one character.
    I thanked everybody by name. It took an hour, and it was the best hour of the release.
    The download counter says {300-9000} on the first day. I know nobody of them.
    Nothing burnt down. I keep looking, but nothing burnt down.
    The old maintainer wrote “it is in good hands”. I have printed that.`),
  details: lines(`
    CI takes {4-19} minutes, of which most is the Windows job.
    All of it is in the repository, including the mistakes.
    We meet once a month, {40-60/5} minutes, notes are public.
    The tests were there before the fix, for once.
    No new dependencies, {2-9} fewer in fact.
    Funding covers the server and some cake.
    The hardest part was the naming.
    Docs live next to the code and are checked on every commit.`),
  tips: lines(`
    Thank people before you review their code.
    Write the release notes as you go.
    One pull request, one change.
    Say no early and kindly.
    Reproduce before you fix.
    Pin versions, update on purpose.
    Answer the question behind the issue.
    Document the decision and not only the result.
    Give rights to people before they ask.
    Keep a list of what the project is not.
    Make the test fail first.
    Delete the code that nobody can explain.
    Automate what you have forgotten twice.`),
  opinions: lines(`
    Stars are not users, and users are not a community.
    The best documentation is a good error message.
    A stale bot is a way of telling people to go away politely.
    Most projects need a second maintainer more than they need a feature.
    Forks are a sign of health.
    Free as in freedom does not mean free as in my weekends.
    Boring technology is a gift to the next maintainer.
    Rewrites are holidays for the author and work for everyone else.
    The README is the product.
    Chat is where decisions go to be forgotten.`),
  replies: lines(`
    Is there an issue for that already?
    I would be glad to review that.
    Which licence is it under?
    Thank you for maintaining it, I use it every day.
    Could you add a line to the docs about this?
    Works on my old machine as well, tested {time*}.
    Have you asked upstream?
    Small patches get merged, big ones get discussed.
    That is a textbook bus factor problem.
    Please do not rewrite it. Please.
    I can help with the {tongue*} translation.
    Where can I donate?`),
  polls: [
    {
      question: 'How did you get into open source?',
      options: ['A bug that annoyed me', 'University', 'Work', 'A friend', 'I am only watching so far'],
    },
    { question: 'Issue tracker: bot that closes stale issues?', options: ['Yes', 'No, never', 'Only with a label', 'I am the bot'] },
    {
      question: 'What would you give money for?',
      options: ['Maintenance', 'Features', 'Security audits', 'Documentation', 'Cake for the meeting'],
    },
  ],
  resources: [
    ['The maintainer’s calendar', 'a year of an unpaid job'],
    ['Saying no in public', 'thirty real answers that worked'],
    ['Licences in plain words', 'with the cases where people got it wrong'],
    ['Handing over', 'six projects that changed hands'],
    ['The bus factor list', 'libraries that depend on one person'],
    ['Docs that get read', 'measured, not guessed'],
    ['Self-hosting for a family', 'and what happens when you are ill'],
    ['One-character patches', 'small fixes with a long story'],
  ],
}
