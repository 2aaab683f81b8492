import type { Topic } from '../../types.ts'
import { lines, words } from '../../words.ts'

export const boardgames: Topic = {
  key: 'boardgames',
  language: 'en',
  lists: {
    field: ['game nights'],
    thing:
      words(`worker placement, co-op games, solo play, deck builders, legacy campaigns, two-player games, auction games, party games, roll-and-writes, trick-taking, area control,
      social deduction, heavy euros, games with children, war games, drafting, print and play, house rules, push-your-luck games`),
    game: words(`Harbour Masters, Cloud Orchard, The Salt Road, Nine Lanterns, Mill & Meadow, Ironwood, Tides of Aru, The Last Tram, Copper Canal, Signal Peak, Fox Parliament,
      Winter Pantry, Glass Mountain, Rivers of Ink, Beekeepers, Night Ferry, Atlas of Small Things, The Quiet Moon`),
    gear: words(
      `card sleeve set, dice tower, insert, playmat, shelf, storage box, score pad, label maker, gaming table, component tray, timer, rules summary sheet`,
    ),
    problem:
      words(`analysis paralysis, a runaway leader, kingmaking, the alpha player, fiddly set-up, a forty-page rulebook, downtime, sore losers, no-shows, sticky fingers on cards,
      colour-blind unfriendly pieces, shelf space, player elimination`),
    doing: words(
      `teaching the rules, sleeving cards, sorting the shelf, culling the collection, playing on a train, painting miniatures, trying every promo, keeping a play log, learning solo modes, making an insert from foam board`,
    ),
    did: words(`taught a heavy game to four newcomers, won for the first time in a year, finished the whole campaign, painted all the miniatures, sold a third of my collection, ran a game night at the library,
      built an insert from foam board, got my parents to play a euro, played the same game ten evenings in a row, designed a scenario, lost to an eight-year-old, made a prototype`),
    where: words(
      `with only two players, with children, in a pub, at family gatherings, in a small flat, on holiday, with five beginners, over a video call, at the library, during a lunch break`,
    ),
    goal: words(`teach rules without losing the table, find players nearby, store games in a small flat, get through a campaign with adults, stop quarterbacking, pick a game for five,
      play more of what I own, make a colour-blind friendly copy, introduce my family to modern games, run a game night, choose between expansions, end a game that drags on`),
  },
  cases: [
    {
      titles: lines(`
        Rules question: {game}, end of round
        {Game}: can you pass and come back?
        How do you read rule {k=3-24} in {game}?`),
      story: lines(`
        We played {game} {time*} with {k2=3-5} and had a long argument about page {k=3-24}. If a player passes, are they out for the round, or may they still use [reactions|bonus tiles]?
        The rulebook of {game} says on page {k=3-24} “place it at once”, the summary says “at the end of the round”. With {k2=3-5} players that [decides the game|changes quite a lot].`),
      ask: lines(`
        How do you play it?
        Is there an official answer?`),
      answers: lines(`
        Page {k=3-24} is wrong, the second printing has it corrected: out for the round, but reactions stay.
        We play “at the end of the round”. It is fairer with {k2=3-5}.
        The designer answered that somewhere: the summary wins over the rulebook.
        When in doubt, pick what makes the turn shorter. That is our house rule for everything.
        Funny, we had exactly the same quarrel. We voted, and I lost.`),
    },
    {
      titles: lines(`
        What to play with {k=4-8} people, {k2=2-4} of them new?
        Game for {k=4-8}, under an hour?
        Recommendations for a mixed group of {k=4-8}`),
      story: lines(`
        {Day*} we will be {k=4-8}, of whom {k2=2-4} have never played anything but classics. I own {game}, {game2} and about {20-90} others, and cannot decide.
        Our group grows. {k=4-8} people, {k2=2-4} newcomers, {45-90/5} minutes, and one who hates [bluffing|being eliminated|reading].`),
      ask: lines(`
        What would you put on the table?
        Split into two tables, or one big game?`),
      answers: lines(`
        {Game}. Five minutes of rules, everybody laughs by the second round.
        Two tables. {k=4-8} around one game is mostly waiting.
        Start with something silly for fifteen minutes, then ask what they liked about it.
        Nothing with elimination when {k2=2-4} are new. Nothing worse than watching.
        Word games! Everybody can do words.
        {Game2} works up to {k=4-8} if somebody knows it well. Leave out the events.`),
    },
    {
      titles: lines(`
        One player always tells the others what to do
        Alpha player in our co-op group
        How do you stop quarterbacking (politely)?`),
      story: lines(`
        We play {game} every other {day*}. [A friend|My brother-in-law] sees the best move for everyone, and says so. The others have started to look at their phones.
        Honest confession: I am the one who takes over in co-ops. {Game} {time*} ended with {buddy*} saying “then play alone”. Fair enough.`),
      ask: lines(`
        How do you deal with that?
        Which co-ops make it impossible?`),
      answers: lines(`
        Games with hidden hands or limited talk. Problem solved by design.
        Say it, once, in private. Mine had no idea and was mortified.
        A sand timer. No one can plan four turns in thirty seconds.
        Give that person the job of explaining the rules and then of keeping quiet 😄
        We use a rule: advice only when asked. Whoever breaks it makes the {drink*}.`),
    },
    {
      titles: lines(`
        How do you store {k=40-300} games?
        Shelf full: what do you let go?
        Culling from {k=40-300} games to half`),
      story: lines(`
        {k=40-300} boxes, {where*}, and [my partner|the landlord] is looking at me. About a third has not been played in {span*}.
        My rule used to be “one in, one out”. Then came {game} with three expansions, and now there are {k=40-300} of them.`),
      ask: lines(`
        What are your criteria?
        Do you keep the boxes?`),
      answers: lines(`
        If I would not suggest it tonight, it goes. Brutal and it works.
        Log your plays for a year. The list of zeros is the list of things to sell.
        Keep the boxes or you will never get a fair price.
        I lend them to the library. They are still mine, and somebody plays them.
        You do not own {k=40-300} games, you own {k=40-300} plans for evenings. Keep the ones with people in them.`),
    },
  ],
  shows: lines(`
    Final score {60-140} to {55-139}. We recounted {2-3} times.
    Teaching took {5-35/5} minutes, and nobody asked “and how do I win?” half-way through.
    {Game} hit the table {3-12} times this month, a record.
    We laughed so hard that the neighbours knocked. They stayed for a round.
    The last round turned everything around: from fourth to first with one tile.
    {14-60} hours over {span*}, one envelope left unopened, and now it is over. I miss it already.
    The children made up their own rules, and I am afraid theirs are better.
    Four players, two pots of tea, no phones.`),
  details: lines(`
    We left out the expansion and did not miss it.
    The insert is foam board and glue, {6-20} euros and one evening.
    Rules were read beforehand by exactly one person. Me.
    With two players it is a knife fight, with four it is a picnic.
    The iconography is clear once you have seen it, and not a minute earlier.
    We play with open scores, otherwise somebody counts in secret.
    The rulebook has no index, which should be illegal.
    Set-up takes {3-15} minutes with trays, double that without.`),
  tips: lines(`
    Explain how you win first, then how a turn works, exceptions last.
    Set up the game before people arrive.
    Play the first round with open hands.
    Bag the pieces by player, not by type.
    End the evening one game earlier than you could.
    Let newcomers win the argument about rules.
    Keep a list of who likes what.
    Choose the game by the most tired person at the table.
    Print a one-page summary for everyone.
    Leave the expansion in the box for the first five plays.
    Put food on a second table.
    Count the pieces before you pay for a used game.
    Tell people how long it takes, honestly.`),
  opinions: lines(`
    A game that needs a video to explain its rules has failed at something.
    Shorter games twice beat a long game once.
    Victory points are the corn syrup of game design.
    Miniatures are mostly an expensive way to hide which space you are on.
    The best expansion is a second copy for friends.
    Luck is a feature: it lets my kids beat me honestly.
    Kickstarter taught us to collect instead of play.
    Old card games with a normal deck are better than half of my shelf.
    Ratings say more about the people who rate than about the game.
    Co-ops are at their best when you lose.`),
  replies: lines(`
    How does it play with two?
    {Game*} scratches the same itch for me, have you tried it?
    Do you use the advanced side of the board?
    We bounced off it hard, what made it click for you?
    How long with four, including teaching?
    House rule: whoever arrives last, goes first.
    The expansion fixes that, by the way.
    I would join if you ever play it near {city*}.
    Sleeved or unsleeved? 😇
    That is my favourite way to lose.
    For me {game*} did the same thing in half the time.
    My copy has never been played. Reading this, that will change on {day*}.`),
  polls: [
    {
      question: 'What ends most of your game nights?',
      options: ['The last bus', 'Tiredness', 'An argument', 'We have won enough', 'It is suddenly morning'],
    },
    { question: 'Ideal length of a game?', options: ['Under 30 minutes', 'About an hour', 'Two hours', 'All day'] },
    { question: 'How many games do you own?', options: ['Under 20', '20 to 50', '50 to 150', 'I have stopped counting'] },
    { question: 'Do you sleeve your cards?', options: ['Always', 'Only the favourites', 'Never', 'What are sleeves?'] },
  ],
  resources: [
    ['How to teach a game in ten minutes', 'from a librarian who does it every week'],
    ['The maths of bluffing', 'readable, with cards instead of formulas'],
    ['Designing for colour-blind players', 'with simple fixes for old games'],
    ['A history of the score track', 'stranger than you would think'],
    ['Foam board inserts for everyone', 'templates included'],
    ['Why we quit campaigns', 'a survey among a thousand groups'],
    ['Trick-taking around the world', 'forty games with one deck'],
    ['Notes from a first prototype', 'the honest diary of a failure'],
  ],
  tables: [
    {
      titles: lines(`
        {k=4-7} games for two, rated after {span}
        What hit the table this month
        Our group’s scores for {k=4-7} games`),
      intro: lines(`
        We keep a list, and somebody asked for it. Everyone at the table votes, 1 to 10.
        As always: our taste, our group, {where}.`),
      head: 'Game',
      rows: words(
        `Harbour Masters, Cloud Orchard, The Salt Road, Nine Lanterns, Mill & Meadow, Ironwood, Copper Canal, Fox Parliament, Winter Pantry, Night Ferry, Beekeepers`,
      ),
      columns: [
        ['Plays', ['{1-14}']],
        ['Score', ['{5-9}.{0-9}']],
        ['With newcomers?', ['yes', 'no', 'with patience', 'absolutely']],
      ],
      outro: lines(`
        The lowest score is a game I designed the insert for. Life is not fair.
        What should we try next?`),
    },
  ],
}
