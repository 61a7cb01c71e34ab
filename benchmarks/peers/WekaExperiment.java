import java.beans.PropertyDescriptor;
import java.io.File;
import java.io.FileReader;
import javax.swing.DefaultListModel;
import weka.classifiers.Classifier;
import weka.core.Instances;
import weka.core.Range;
import weka.experiment.ClassifierSplitEvaluator;
import weka.experiment.CrossValidationResultProducer;
import weka.experiment.Experiment;
import weka.experiment.InstancesResultListener;
import weka.experiment.PairedCorrectedTTester;
import weka.experiment.PropertyNode;

/** Weka's Experimenter: a tree, naive Bayes and 1-NN in 10 x 10 folds on the ARFF files named, compared and printed. */
public class WekaExperiment {
  public static void main(String[] files) throws Exception {
    ClassifierSplitEvaluator evaluator = new ClassifierSplitEvaluator();
    CrossValidationResultProducer producer = new CrossValidationResultProducer();
    producer.setNumFolds(10);
    producer.setSplitEvaluator(evaluator);
    Experiment experiment = new Experiment();
    experiment.setResultProducer(producer);
    experiment.setUsePropertyIterator(true);
    experiment.setPropertyPath(new PropertyNode[] {
      new PropertyNode(evaluator, new PropertyDescriptor("splitEvaluator", CrossValidationResultProducer.class),
          CrossValidationResultProducer.class),
      new PropertyNode(evaluator.getClassifier(), new PropertyDescriptor("classifier", evaluator.getClass()),
          evaluator.getClass())});
    experiment.setPropertyArray(new Classifier[] {
      new weka.classifiers.trees.J48(), new weka.classifiers.bayes.NaiveBayes(), new weka.classifiers.lazy.IBk(1)});
    experiment.setRunLower(1);
    experiment.setRunUpper(10);
    DefaultListModel<File> datasets = new DefaultListModel<>();
    for (String file : files) datasets.addElement(new File(file));
    experiment.setDatasets(datasets);
    InstancesResultListener listener = new InstancesResultListener();
    File out = File.createTempFile("weka", ".arff");
    out.deleteOnExit();
    listener.setOutputFile(out);
    experiment.setResultListener(listener);
    experiment.initialize();
    experiment.runExperiment();
    experiment.postProcess();
    Instances result = new Instances(new FileReader(out));
    PairedCorrectedTTester tester = new PairedCorrectedTTester();
    tester.setInstances(result);
    tester.setRunColumn(result.attribute("Key_Run").index());
    tester.setFoldColumn(result.attribute("Key_Fold").index());
    tester.setDatasetKeyColumns(new Range("" + (result.attribute("Key_Dataset").index() + 1)));
    tester.setResultsetKeyColumns(new Range("" + (result.attribute("Key_Scheme").index() + 1) + ","
        + (result.attribute("Key_Scheme_options").index() + 1) + ","
        + (result.attribute("Key_Scheme_version_ID").index() + 1)));
    System.out.println(tester.multiResultsetFull(0, result.attribute("Percent_correct").index()));
  }
}
