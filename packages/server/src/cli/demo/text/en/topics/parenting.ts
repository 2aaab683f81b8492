import type { Topic } from '../../types.ts'
import { lines, words } from '../../words.ts'

export const parenting: Topic = {
  key: 'parenting',
  language: 'en',
  lists: {
    field: ['family life'],
    thing: words(
      `bedtime, screen time, packed lunches, the first day at school, siblings, tantrums, pocket money, homework, long car journeys, reading aloud, chores, toddler sleep, the teenage years, birthdays, picky eating, learning to swim, shared parenting, board games on rainy days`,
    ),
    gear: words(
      `white noise machine, baby carrier, bike seat, lunch box, night light, sticker chart, high chair, sandpit, bunk bed, label maker, balance bike, picture book, kitchen timer, rain suit`,
    ),
    problem: words(
      `waking up at five, sibling fights, homework tears, one lost glove a week, screen arguments, vegetable refusal, nits, separation anxiety, slamming doors, monsters under the bed, endless “why”, the witching hour, group chats of parents`,
    ),
    doing: words(
      `reading the same book for the hundredth time, packing lunch the night before, walking to school, cooking together, saying no once and meaning it, building dens, going outside in any weather, keeping a family calendar, taking turns to sleep in, talking in the car`,
    ),
    did: words(
      `slept through for the first time, taught my son to ride a bike, survived a birthday with eleven children, camped in the garden with the kids, moved the bedtime by an hour, let her walk to school alone, cooked a meal that everyone ate, talked with my teenager for two hours, cleared out the toy cupboard, apologised to my daughter and meant it, took the kids across the country by train`,
    ),
    where: words(
      `in a small flat, with twins, as a single parent, with shift work, on a long train ride, with a newborn, in the holidays, with three under six, far from the grandparents, in a patchwork family`,
    ),
    goal: words(
      `get everybody out of the door by eight, talk to a silent teenager, end the day without shouting, get a toddler to sleep, feed a picky eater, limit screens without war, share the work fairly, help with homework without tears, travel with small children, keep up with laundry, have an evening for ourselves, praise without overdoing it`,
    ),
  },
  cases: [
    {
      titles: lines(`
        {k=2-4}-year-old wakes up at five. Every. Day.
        Awake at 4:{10-55} – help
        Early riser, {k=2-4} years old`),
      story: lines(`
        Our {k=2-4}-year-old goes to bed at {19-20} and is wide awake at five, cheerful, for {5-14} weeks now. We are [not cheerful|wrecks].
        It used to be half past six. Then came the [time change|new sibling|new bed], and since then our {k=2-4}-year-old stands next to the bed at five and wants [porridge|a story].`),
      tried: lines(`
        Later bedtime: the same, only in a worse mood. Blackout blind: no effect.
        One of those clocks with a sun. She thinks it is funny.`),
      ask: lines(`
        Does it pass?
        What helped you?`),
      answers: lines(`
        Earlier to bed, not later. Sounds mad, helped us within a week.
        It passes. Ours sleeps until noon now, he is fifteen.
        Cut the nap to forty minutes. That was all it took.
        A basket with three books and a banana by the bed. We got until half past six that way.
        Take turns: one sleeps in, one does the early shift, no discussions at night.
        Boring answer to every wake-up, no light, no talk. Ten days, then it was over.`),
    },
    {
      titles: lines(`
        {k=11-15}-year-old and the phone
        Screen time rules at {k=11-15} – what works?
        Constant fights about the phone`),
      story: lines(`
        My {k=11-15}-year-old would spend {4-7} hours a day on the phone if we let it happen. Every rule ends in a [fight|slammed door]. “Everybody else is allowed to.”
        We agreed on {1-2} hours, and each evening I am the police. I do not want to be the police.`),
      ask: lines(`
        What are your rules?
        How do you stay in contact at that age?`),
      answers: lines(`
        Phones sleep in the kitchen, ours too. That last part was decisive.
        We let them write the contract. It was stricter than ours.
        Talk to the other parents. “Everybody” were two children.
        Find something to do together that is not talking. With ours it is chess, badly.
        I asked to be shown the games. Now I know what “I cannot stop now” means, and we agree on rounds, not minutes.
        Pick your battles. Sleep and meals without phones, the rest is weather.`),
    },
    {
      titles: lines(`
        Only eats pasta: {k=3-9} years old
        Picky eater, {k=3-9}, third year
        My child eats {k2=4-8} things`),
      story: lines(`
        {k=3-9} years old and the list has {k2=4-8} entries: pasta (no sauce), bread, cucumber, one brand of yoghurt… Grandparents have opinions.
        At nursery everything gets eaten, at home {k2=4-8} things, none of them touching each other.`),
      ask: lines(`
        Ignore it or insist?
        When did it get better for you?`),
      answers: lines(`
        You decide what is on the table, the child decides how much. It took the fight out of dinner.
        Ours was like that until eight. Now he cooks curry.
        Let them cut it up themselves. Own work gets eaten.
        Fifteen times on the plate without a comment. We counted. It was nearer forty.
        Grandparents with opinions may come and cook.
        Doctor once, to be sure that nothing is missing, then relax.`),
    },
    {
      titles: lines(`
        Second child: how do you prepare the first one?
        Jealous of the baby ({k=2-6})
        Since the baby came, our {k=2-6}-year-old is another child`),
      story: lines(`
        The baby is {3-12} weeks old. Our {k=2-6}-year-old [bites|wants nappies again|says “take it back”] and is only nice to the cat.
        We did everything by the book: presents, dolls, talks. And now the {k=2-6}-year-old throws blocks at the cradle.`),
      ask: lines(`
        How long did that last for you?
        What did you do?`),
      answers: lines(`
        Ten minutes alone with one of you, every day, no baby, child decides. Nothing else helped as much.
        Let them be a baby for a bit. It got boring after a week.
        Say it for them: “you wish it was like before”. Ours looked at me and cried and then it was better.
        About three months. Then the baby could laugh, and was allowed to stay.
        Everything is permitted that makes the mornings easier. You have a newborn!`),
    },
  ],
  shows: lines(`
    There was some crying, mostly mine.
    It took {2-9} weeks, {1-3} relapses and a lot of bananas.
    “Mum, did you see?” Yes. I did. I had something in my eye.
    {4-11} children, {2-5} hours, one broken vase. I call that a success.
    We had prepared for everything except for rain, so we had cake in the tent.
    The secret was to leave {15-25/5} minutes earlier than we thought necessary.
    Nobody looked at a phone for a whole afternoon, me included.
    She said “thank you” without being asked, and I have witnesses.`),
  details: lines(`
    The older one is {7-15}, the little one {1-6}.
    We do it only on {day*}s, otherwise it would not last.
    My partner does the mornings, I do the evenings.
    The grandparents live {90-700} km away.
    It costs nothing but patience, of which we have little.
    We wrote it on a piece of paper and put it on the fridge.
    There are bad days, too. Yesterday, for instance.
    The {gear} was a gift, and I laughed at it first.`),
  tips: lines(`
    Leave earlier than you think you must.
    Say it once, then act.
    Put spare socks everywhere.
    Read aloud for longer than they need it.
    Let them help when it slows you down, so that they can when it counts.
    Take turns with sleep, without keeping accounts.
    Apologise when you were wrong.
    Have a drawer that they may empty.
    Give two choices, both of which you like.
    Walk and talk; side by side is easier than face to face.
    Write their height on the door frame.
    Freeze two portions of everything.
    Ask “what was silly today?” instead of “how was school?”.
    Keep one photo a month in print.`),
  opinions: lines(`
    Boredom is a gift, and we should give it more often.
    Most parenting books could be one page.
    Children need fewer toys and more cardboard boxes.
    Nobody has it under control. Some have better lighting.
    Homework in primary school helps no one.
    Shouting does not work and happens anyway.
    Fairness does not mean that both get the same.
    A tidy house with toddlers is a sign of sorrow.
    Grandparents may spoil, that is their job.
    The long days are long, and the years are not as short as people say.`),
  replies: lines(`
    How old are they?
    Ours did exactly the same at that age.
    It gets better. It also gets different.
    Hugs from another tired parent.
    That is so sweet, I read it out at breakfast.
    Twins here: multiply by three.
    We have a rule for that, it holds in about half of the cases.
    Do not let anyone tell you that you are doing it wrong.
    My mother said: just a phase. For eighteen years.
    You are a good parent. Bad ones do not ask.
    Sleep! Take every hour you can get.
    Could you tell my kids that, please?`),
  polls: [
    { question: 'When is bedtime (of the children)?', options: ['Before 7', '7 to 8', '8 to 9', 'Later', 'They put me to bed'] },
    { question: 'Pocket money: from which age?', options: ['4 or 5', '6 or 7', '8 to 10', 'Later', 'No fixed sum'] },
    { question: 'What do you miss the most?', options: ['Sleep', 'Silence', 'Time for two', 'Finishing a sentence', 'Nothing at all'] },
  ],
  resources: [
    ['The good enough morning', 'how six families get out of the door'],
    ['Talking in the car', 'on teenagers and side-by-side conversations'],
    ['A year of packed lunches', 'with honest photos of what came back'],
    ['Sleep, the long view', 'a paediatrician calms down'],
    ['Chores by age', 'a list that does not shame anyone'],
    ['Screens: what the studies say', 'less than the headlines do'],
    ['Forty games for a train', 'no kit needed'],
    ['Siblings', 'letters between two sisters'],
  ],
}
