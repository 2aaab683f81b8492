import type { Topic } from '../../types.ts'
import { lines, words } from '../../words.ts'

export const gardening: Topic = {
  key: 'gardening',
  language: 'en',
  lists: {
    field: ['gardening'],
    thing:
      words(`tomatoes, raised beds, dahlias, no-dig beds, courgettes, sweet peas, potatoes in bags, winter salads, native hedges, compost,
      strawberries, garlic, climbing roses, chillies from seed, fruit trees, container herbs, broad beans, wildflower patches, leeks, peonies`),
    plant: words(
      `tomato, courgette, chilli, dahlia, basil, blueberry, lemon, cucumber, pepper, fig, hydrangea, aubergine, strawberry, raspberry`,
    ),
    gear: words(`soil thermometer, hori knife, cold frame, wheelbarrow, propagator, water butt, pair of bypass pruners, grow light, compost bin,
      drip irrigation kit, polytunnel, broadfork, long-reach watering can, garden shredder, potting bench, moisture meter`),
    problem:
      words(`blossom end rot, slugs, powdery mildew, aphids, leggy seedlings, yellow leaves, bindweed, pigeons, late frost, vine weevil, heavy clay,
      fungus gnats, bolting, the neighbour’s cat, waterlogged pots, blight`),
    doing:
      words(`mulching, turning the compost, pruning the apple tree, sowing in modules, pricking out seedlings, hardening off, weeding by hand,
      lifting dahlias, saving seed, edging the lawn, tying in the climbers, dividing perennials, feeding with comfrey tea`),
    did: words(`planted out the leeks, built the second raised bed, saved my own tomato seed, repotted the whole windowsill, picked the first strawberries,
      dug up the old patio, sowed the broad beans, moved the compost heap, pruned the old apple tree, harvested nine kilos of potatoes,
      laid a woodchip path, finished the greenhouse, got rid of the bindweed behind the shed, planted a hedge of forty whips`),
    where:
      words(`on a north-facing balcony, in heavy clay, in a tiny back garden, on an exposed allotment, in a greenhouse, on a windowsill in the city,
      by the sea, at 800 metres, in sandy soil, under an old walnut tree, on a rented terrace, in a frost pocket`),
    goal: words(`grow enough salad for two, keep the slugs away without pellets, fill a shady corner, get fruit from a balcony, make compost in a small space,
      overwinter chillies, have something in flower all year, garden with a bad back, keep the greenhouse cool, water less, get ripe tomatoes outdoors,
      bring bees into the garden, start an allotment from scratch`),
  },
  cases: [
    {
      titles: lines(`
        {Plant} leaves turning yellow from the bottom up
        Yellow lower leaves on my {plant} plants
        Why are the lower leaves of my {plant} going yellow?`),
      story: lines(`
        I have {k=3-9} {plant} plants in 30 cm pots, {where}. For about {5-14} days the lowest leaves have been turning yellow, starting at the edges, while the new growth looks [fine|healthy and green].
        My {k=3-9} {plant} plants [looked great|were doing well] for weeks. Then, {time*}, the bottom leaves began to turn yellow one after the other, and now they drop. The tops still grow.`),
      tried: lines(`
        I fed them once with tomato feed and water them every evening.
        The compost is a cheap peat-free one from the supermarket, mixed with a bit of perlite. So far I have only picked the leaves off.
        No visible pests, I checked both sides of the leaves with a magnifying glass.`),
      ask: lines(`
        Is this just age, or am I doing something wrong?
        Too much water, or too little food?
        Should I repot them, or wait?`),
      answers: lines(`
        From the bottom up is classic hunger: the plant takes nitrogen out of the old leaves. Feed weekly and they should green up.
        Every evening sounds like a lot for a pot. Stick a finger in: if it is wet two knuckles down, [leave it|wait another day].
        Yellow between the veins or all over? Between the veins would be magnesium; [a spoon of Epsom salt|a foliar spray] helps.
        A {plant} in a 30 cm pot runs out of food in about six weeks. Mine did the same [last year|two years ago].
        Two or three yellow leaves at the bottom are nothing. I take them off for better air and forget about it.
        I had that {where*} as well. Repotting into something twice the size [solved it|worked wonders].
        What is the drainage like? Mine stood in a saucer of water [and sulked|for a week] before I noticed.`),
    },
    {
      titles: lines(`
        Something is eating my seedlings overnight
        Seedlings gone in the morning, no trace
        {k=8-30} seedlings eaten in one night`),
      story: lines(`
        I put out {k=8-30} {plant} seedlings {time*}, {where}. By morning [half of them were|all but three were] cut off at the base. No slime trails that I could see.
        Same story each morning: another row of my {plant} seedlings is gone. I [went out with a torch at eleven|sat up until midnight] and found [nothing|two woodlice].`),
      tried: lines(`
        Copper tape round the pots, crushed eggshells, a beer trap. They seem to enjoy all of it.
        I now cover what is left with cut-off bottles.`),
      ask: lines(`
        Slugs, birds or something else?
        What would you do with the [rest|survivors]?
        Has anybody had success with nematodes?`),
      answers: lines(`
        Cut off clean at soil level and left lying there: cutworms. Dig around the stem with a finger, they curl up just below the surface.
        Go out at two in the morning, not eleven. That is when the big slugs are about.
        No slime could mean pigeons or mice. Put a net over one row and see if it makes a difference.
        Nematodes work, but only in soil above 5 °C and if you keep it moist for a fortnight.
        I raise everything to a hand’s height before it goes out. Since then my losses are down to almost nothing.
        Eggshells have never stopped a slug in my garden. Wool pellets did, until the rain came.`),
    },
    {
      titles: lines(`
        How do I start on an allotment full of couch grass?
        New allotment, head-high weeds: where to begin?
        Taking on an overgrown plot ({k=60-250/10} m²)`),
      story: lines(`
        After {span} on the waiting list I finally have a plot: {k=60-250/10} square metres of couch grass, brambles and a [collapsed|leaning] shed. I have [weekends|two evenings a week] and {a gear}.
        We have just been given an overgrown plot of {k=60-250/10} m². The committee would like to see “progress” within [three|six] months, and I [work full time|have a toddler].`),
      tried: lines(`
        So far I have cleared a strip of two metres and hurt my back.
        {Buddy*} says rotavate it, the neighbour says never.`),
      ask: lines(`
        Would you dig, cover it all, or take it bed by bed?
        What can I plant in the first year that [tolerates|survives] the chaos?`),
      answers: lines(`
        Cover everything you cannot use this year with cardboard and a tarp. Work on a third, properly. That is plenty.
        Never rotavate couch grass: each piece of root becomes a plant.
        Potatoes and squash. They shade out a lot and look like progress to any committee.
        Clear one bed, sow something quick in it, sit down and have tea. Otherwise you will burn out by June.
        Take a photo from the same place every month. When you feel you get nowhere, look at the first one.
        {k=60-250/10} m² is a lot for one person. Ask whether you may share it, I did and it made all the difference.`),
    },
    {
      titles: lines(`
        Compost heap: slimy, smelly and cold
        My compost does nothing
        Compost not heating up – what is missing?`),
      story: lines(`
        My heap is about a cubic metre, {span} old, and it just sits there. In the middle it is [wet and slimy|matted and grey], it smells [sour|of eggs], and it is not even warm.
        I filled the bin with grass clippings and kitchen scraps for {span}. What came out at the bottom is [a black mush|more like silage than compost].`),
      tried: lines(`
        I turned it once and added a bag of “activator”.
        I put in some torn cardboard {time*}, without effect so far.`),
      ask: lines(`
        What is missing?
        Can I save it, or should I start again?`),
      answers: lines(`
        Too much green. Add the same volume of brown again: cardboard, straw, dry leaves, shredded hedge. It will be hot in three days.
        Skip the activator. Air is what it wants. Turn it, and put some twiggy stuff at the bottom.
        Squeeze a handful: one drop of water should come out. If it runs down your arm it is far too wet.
        Cold compost is compost too, it only takes a year longer. I have stopped caring.
        Grass in thin layers only! A thick layer turns into a mat that nothing gets through.`),
    },
    {
      titles: lines(`
        What can I grow {where}?
        [Planting|Ideas] for a spot that gets {k=2-5} hours of sun
        {k=2-5} hours of sun a day – is that enough for {thing}?`),
      story: lines(`
        We moved {span} ago and the only place left for plants gets {k=2-5} hours of sun at most. I would like something [edible|that flowers for long|that does not look sad in winter].
        I garden {where}. There is sun for {k=2-5} hours, wind most days, and I can carry about [two|three] bags of compost up the stairs.`),
      ask: lines(`
        What does well for you in such a place?
        {Thing}: hopeless, or worth a try?
        Any combination that you would [recommend|plant again]?`),
      answers: lines(`
        Salads, chard, parsley, mint (in a pot!). Leaves cope with {k=2-5} hours, fruit does not.
        Redcurrants. Seriously: they fruit on a north wall.
        Ferns and hostas if you have no slugs, so for nobody.
        I tried {thing} with about that much sun. You get a harvest, only late and small.
        Paint the wall white. Sounds silly, but it makes a real difference.
        Heavy pots for the wind, and mulch on top, else you will be watering all day.`),
    },
  ],
  shows: lines(`
    The first bowl of the year, and it was gone before I could take a second photo. [Nobody here eats salad|The children claim not to like vegetables], they say.
    In the end it took {2-5} barrows of compost, {6-20} old boards and one [very patient|slightly bored] helper.
    Of {20-60} seeds {12-19} came up, which is better than anything I have managed before.
    I counted {5-16} different bees on the oregano this morning. Two years ago there was gravel here.
    The old variety from {buddy*} won by a mile: later than the rest, but the taste!
    What you do not see in the picture: the {2-9} that did not make it, and the state of my kitchen floor.
    The bed is not straight, the path is not level, and there is a robin that thinks it is all for him.
    I weighed everything this year. {12-70} kilos from a space the size of a parking lot.`),
  details: lines(`
    The soil here is [clay|sand|builder’s rubble with a thin lid of soil], so I brought in compost.
    The variety is an old one; the label got lost [in the rain|years ago].
    Everything is watered from the butt, which ran dry for {4-20} days.
    I used no pesticides, only [patience|netting|a torch and a bucket].
    There was one night at minus two, and I ran out with [bed sheets|fleece|old curtains].
    I sowed in modules on the windowsill and potted on {2-3} times.
    A mulch of [woodchip|leaf mould|straw] saved me most of the weeding.
    The hedgehog is back, by the way.
    Two plants were given away at work and do better there, of course.`),
  tips: lines(`
    Water in the morning, at the base, and never over the leaves.
    Sow half of what you think you need, and the other half three weeks later.
    Mulch before the dry spell, not during it.
    Label everything. You will not remember.
    Buy the bigger pot.
    Pick courgettes when they are small, they make up for it.
    Stake early, while the plant still looks as if it did not need it.
    Never compost bindweed roots; drown them in a bucket first.
    Clean the pruners between two plants, it takes ten seconds.
    Harden off for a full week, even when the forecast looks kind.
    Keep one bed for things you grow only because they are pretty.
    Look under the leaves once a week, that is where trouble starts.
    Feed the soil and leave the plants alone.
    Plant garlic before winter and forget it until summer.
    Put the herbs next to the kitchen door or you will not use them.`),
  opinions: lines(`
    No-dig beats double digging on every soil I have had, and my back agrees.
    Lawns are the most expensive crop there is: water, feed, petrol, and nobody eats it.
    Seed swaps are better than any catalogue.
    Most “slug resistant” plants simply have not met my slugs.
    A garden that is tidy in winter is a garden without ladybirds in spring.
    Peat-free compost has become good enough, it only wants different watering.
    Grow what is expensive in the shop and buy the onions.
    Raised beds are overrated if your soil is decent.
    Supermarket basil is not one plant but thirty, no wonder it dies.
    I would rather have ten plants that I know than fifty that I forget to water.`),
  replies: lines(`
    Which variety is it? Mine never get that far.
    Slugs would have had that here in one night 😅
    How often do you water? With my sandy soil I cannot keep up.
    I swap {plant*} seeds, if you are interested.
    Frost is forecast here for {day*}, I hope you have fleece ready.
    We grow that on our allotment as well. It does best on the worst soil.
    Do you cut it back, or leave it for the birds?
    Try comfrey tea. It stinks, it works.
    My grandmother put a nail in the soil and swore by it. I still have no idea why.
    Patience! My {plant*} sulked for a whole year and then took over.
    Be careful with horse manure, ask what the hay was sprayed with.
    That mulch looks perfect. Where do you get it?
    No chance of that here at {400-1100/10} metres, sadly.`),
  polls: [
    {
      question: 'How do you deal with slugs?',
      options: ['Evening patrol with a torch', 'Nematodes', 'Beer traps', 'Ducks!', 'I grow what they dislike', 'I have given up'],
    },
    {
      question: 'Where do most of your plants come from?',
      options: ['I sow everything myself', 'Garden centre', 'Swaps and neighbours', 'Plant fairs', 'They just turn up'],
    },
    { question: 'Dig or no dig?', options: ['No dig, all the way', 'Dig once, then never again', 'Every autumn', 'Depends on the bed'] },
    { question: 'What do you water with?', options: ['Rain butts only', 'Tap', 'Both', 'A well', 'I leave it to the clouds'] },
  ],
  resources: [
    ['A year on a quarter-acre plot', 'a diary with sowing dates and honest failures'],
    ['The quiet science of compost', 'what really happens in the heap, with temperatures'],
    ['Pruning apple trees in twelve drawings', 'the clearest drawings I know'],
    ['Growing food on balconies', 'pot sizes, wind, weight limits'],
    ['Know your slugs', 'most of them do no harm at all'],
    ['Forty vegetables for shade', 'a list that was tested, not copied'],
    ['Watering less: five gardens compared', 'measured over two dry summers'],
    ['Seed saving for beginners', 'which plants cross, and how far apart they must be'],
  ],
  tables: [
    {
      titles: lines(`
        My tomato trial: {k=4-7} varieties compared
        {k=4-7} tomatoes, one summer: the results
        Which variety did best {where}? My notes`),
      intro: lines(`
        I grew several varieties side by side, {where}, same compost, same feed. Taste was judged by [six people|the family|colleagues] who did not know which was which.
        As promised, the numbers. {3-4} plants of each, everything weighed.`),
      head: 'Variety',
      rows: words(
        `Black Orchard, Aunt Hilda, Sungold type, Long Tom, Stone Ridge, Balcony Red, Yellow Pear, Marmande type, Early Bush, Pink Ox, Green Stripe, Saint Anne`,
      ),
      columns: [
        ['First ripe', ['{2-28} July', '{1-30} August']],
        ['Yield per plant', ['{1-4}.{1-9} kg']],
        ['Taste (1–5)', ['{2-5}', '{3-4}.5']],
        ['Blight', ['none', 'late', 'badly hit', 'a few leaves']],
      ],
      outro: lines(`
        I will [keep|grow] the first two again and give the rest away.
        Taste and yield do not go together, what a surprise.
        Happy to swap seed!`),
    },
  ],
}
