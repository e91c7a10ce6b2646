import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executor;
import java.util.function.IntUnaryOperator;

/**
 * The work of the rows memory/{hits,uniform,zipf}/{1k,100k}/N-threads, done by Caffeine: lookups by URL, and after each
 * miss a store of a new copy of a body of 3.8 KB. See results/caffeine.md for how it is run.
 *
 * Caffeine works on its order of eviction in other threads. With the argument "caller" the threads that use it do that
 * work themselves, as the threads of the memory tier do.
 */
public final class CaffeineThreads {
    private static final int BODY = 3_800, BATCH = 1 << 16, WARM_UP = 40, ROUNDS = 60;
    private static final byte[] CONTENT = new byte[BODY];

    public static void main(String[] arguments) throws Exception {
        boolean byCaller = arguments.length > 0 && arguments[0].equals("caller");
        for (int entries : new int[] {1_000, 100_000}) {
            String label = entries == 1_000 ? "1k" : "100k";
            for (int threads = 1; threads <= Math.min(4, Runtime.getRuntime().availableProcessors()); threads *= 2) {
                measure("hits/" + label, entries, entries, 0, threads, byCaller);
                measure("uniform/" + label, entries, entries * 20 / 19, 0, threads, byCaller);
                measure("zipf/" + label, entries, entries * 4, 0.9, threads, byCaller);
            }
        }
    }

    private static void measure(
            String name, int entries, int objects, double exponent, int threads, boolean byCaller) throws Exception {
        Executor executor = byCaller ? Runnable::run : java.util.concurrent.ForkJoinPool.commonPool();
        Cache<String, byte[]> cache = Caffeine.newBuilder().maximumSize(entries).executor(executor).build();
        String[] keys = new String[objects];
        for (int id = 0; id < objects; id++) {
            String key = "https://img" + id % 7 + ".example.com/photos/" + id + "/thumbnail-";
            keys[id] = key + "x".repeat(60 - key.length());
            cache.put(keys[id], body(id));
        }
        cache.cleanUp();
        int[][] walks = new int[threads][];
        for (int thread = 0; thread < threads; thread++) {
            IntUnaryOperator draw = draw(objects, exponent, thread);
            walks[thread] = new int[Math.max(65_536, objects * 8)];
            Arrays.setAll(walks[thread], draw);
        }
        double[] times = new double[WARM_UP + ROUNDS];
        long[] hits = new long[threads];
        int[] places = new int[threads];
        CyclicBarrier barrier = new CyclicBarrier(threads + 1);
        for (int thread = 0; thread < threads; thread++) {
            int number = thread;
            Thread worker = new Thread(() -> {
                try {
                    for (int round = 0; round < times.length; round++) {
                        barrier.await();
                        places[number] = work(cache, keys, walks[number], places[number], hits, number);
                        barrier.await();
                    }
                } catch (Exception error) {
                    throw new IllegalStateException(error);
                }
            });
            worker.setDaemon(true);
            worker.start();
        }
        for (int round = 0; round < times.length; round++) {
            barrier.await();
            long start = System.nanoTime();
            barrier.await();
            times[round] = (System.nanoTime() - start) / (double) BATCH / threads;
        }
        double[] warm = Arrays.copyOfRange(times, WARM_UP, times.length);
        Arrays.sort(warm);
        double all = (double) BATCH * times.length * threads;
        System.out.printf("%-14s %d thread%s  %6.1f ns lower quartile, %6.1f ns median, hit ratio %.3f%n", name, threads,
                threads == 1 ? " " : "s", warm[ROUNDS / 4], warm[ROUNDS / 2], Arrays.stream(hits).sum() / all);
    }

    private static int work(Cache<String, byte[]> cache, String[] keys, int[] walk, int place, long[] hits, int thread) {
        long found = 0, folded = 0;
        for (int count = 0; count < BATCH; count++) {
            int id = walk[place];
            place = place + 1 == walk.length ? 0 : place + 1;
            byte[] body = cache.getIfPresent(keys[id]);
            if (body != null) {
                found++;
                folded += body[0];
            } else {
                cache.put(keys[id], body(id));
            }
        }
        hits[thread] += found;
        if (folded == Long.MIN_VALUE) System.out.println(folded);
        return place;
    }

    private static byte[] body(int id) {
        byte[] body = CONTENT.clone();
        body[0] = (byte) id;
        return body;
    }

    /** Uniform for exponent 0, else by Zipf's law; always another sequence for another thread. */
    private static IntUnaryOperator draw(int objects, double exponent, int thread) {
        SplittableRandom random = new SplittableRandom(1 + thread);
        if (exponent == 0) return index -> random.nextInt(objects);
        double[] sums = new double[objects];
        double sum = 0;
        for (int id = 0; id < objects; id++) sums[id] = sum += Math.pow(id + 1, -exponent);
        double whole = sum;
        return index -> {
            int place = Arrays.binarySearch(sums, random.nextDouble() * whole);
            return Math.min(place < 0 ? -place - 1 : place, objects - 1);
        };
    }
}
